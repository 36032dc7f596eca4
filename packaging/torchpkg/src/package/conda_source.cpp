// SPDX-License-Identifier: BSD-3-Clause
#include "package/conda_source.h"

#include "common/unpack_limits.h"
#include "zip/reader.h"

namespace torchpkg {

using conda::PackageReader;

CondaSource::CondaSource(const std::filesystem::path& path)
    : PackageSource(Kind::kConda, true), mapped_(path) {
  if (!zip::looks_like_zip(mapped_.bytes())) {
    throw Error(ExitCode::kBadInput, path.string() + " is not a conda package of format 2",
                "give one that ends in .conda; packages of format 1 (.tar.bz2) are not read");
  }
  try {
    reader_.emplace(mapped_.bytes());
    problems_ = reader_->zip_problems();
    std::vector<TreeEntry> tree;
    list(PackageReader::Part::kInfo, tree);
    list(PackageReader::Part::kFiles, tree);
    finish_list(tree);
  } catch (const TooLarge&) {
    throw;
  } catch (const Error& error) {
    problems_.emplace_back(error.what());
  }
}

void CondaSource::list(PackageReader::Part part, std::vector<TreeEntry>& tree) {
  reader_->for_each(part, [&](const TreeEntry& entry, const PackageReader::Content& content) {
    if ((part == PackageReader::Part::kInfo) != entry.name.starts_with("info/")) {
      problems_.push_back(entry.name + " is in the wrong one of the two tars");
    }
    tree.push_back(entry);
    if (entry.kind != TreeEntry::Kind::kFile || !entry.name.ends_with("/manifest.json")) return;
    check_text_size(entry.name, entry.size);
    manifests_[entry.name] = as_text(content());
  });
}

std::optional<std::string> CondaSource::manifest() const {
  const auto found = manifests_.find(roots_[0] + "manifest.json");
  if (found == manifests_.end()) return std::nullopt;
  return found->second;
}

std::string CondaSource::stem() const { return reader_ ? reader_->stem() : std::string(); }

std::vector<std::string> CondaSource::read_all(unsigned /*jobs*/, const Visit& visit) const {
  std::vector<std::string> problems;
  for (const auto part : {PackageReader::Part::kInfo, PackageReader::Part::kFiles}) {
    reader_->for_each(part, [&](const TreeEntry& entry, const PackageReader::Content& content) {
      if (entry.kind != TreeEntry::Kind::kFile) return;
      try {
        visit(*find(entry.name), content());
      } catch (const Error& error) {
        if (error.code() != ExitCode::kBadInput) throw;
        problems.emplace_back(error.what());
      }
    });
  }
  return problems;
}

}  // namespace torchpkg
