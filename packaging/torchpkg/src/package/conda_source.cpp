// SPDX-License-Identifier: BSD-3-Clause
#include "package/conda_source.h"

#include <fmt/core.h>

#include "common/error.h"
#include "zip/reader.h"

namespace torchpkg {

using conda::PackageReader;
using conda::TarEntry;

namespace {

/// What is wrong with the name, the place or the kind of an entry.
void check_entry(const TarEntry& entry, bool is_info, std::vector<std::string>& wrong) {
  if (entry.path.empty() || entry.path.starts_with('/') ||
      ("/" + entry.path + "/").find("/../") != std::string::npos) {
    wrong.push_back(fmt::format("'{}' is not a name inside the prefix", entry.path));
  }
  if (is_info != entry.path.starts_with("info/")) {
    wrong.push_back(fmt::format("{} is in the wrong one of the two tars", entry.path));
  }
  if (entry.kind == TarEntry::Kind::kHardLink || entry.kind == TarEntry::Kind::kOther) {
    wrong.push_back(entry.path + " is neither file, folder nor symlink");
  }
}

}  // namespace

CondaSource::CondaSource(const std::filesystem::path& path)
    : PackageSource(Kind::kConda, true), mapped_(path) {
  if (!zip::looks_like_zip(mapped_.bytes())) {
    throw Error(ExitCode::kBadInput, path.string() + " is not a conda package of format 2",
                "give one that ends in .conda; packages of format 1 (.tar.bz2) are not read");
  }
  try {
    problems_ = zip::name_problems(zip::Reader(mapped_.bytes()).entries());
    reader_.emplace(mapped_.bytes());
    list(PackageReader::Part::kInfo);
    list(PackageReader::Part::kFiles);
  } catch (const Error& error) {
    damaged_ = true;
    problems_.emplace_back(error.what());
  }
  finish_list();
}

void CondaSource::list(PackageReader::Part part) {
  reader_->for_each(part, [&](const TarEntry& entry, const PackageReader::Content& content) {
    check_entry(entry, part == PackageReader::Part::kInfo, problems_);
    const bool symlink = entry.kind == TarEntry::Kind::kSymlink;
    if (!symlink && entry.kind != TarEntry::Kind::kFile) return;
    if (!paths_.insert(entry.path).second) {
      problems_.push_back(entry.path + " is there twice");
      return;
    }
    files_.push_back({entry.path, symlink, entry.target, entry.size});
    if (entry.path.ends_with("/manifest.json") && !symlink) {
      manifests_[entry.path] = as_text(content());
    }
  });
}

std::optional<std::string> CondaSource::manifest() const {
  const auto found = manifests_.find(roots_[0] + "manifest.json");
  if (found == manifests_.end()) return std::nullopt;
  return found->second;
}

std::string CondaSource::stem() const { return reader_ ? reader_->stem() : std::string(); }

std::vector<std::string> CondaSource::read_files(unsigned /*jobs*/, const Visit& visit) const {
  std::vector<std::string> problems;
  if (damaged_) return problems;
  for (const auto part : {PackageReader::Part::kInfo, PackageReader::Part::kFiles}) {
    reader_->for_each(part, [&](const TarEntry& entry, const PackageReader::Content& content) {
      if (entry.kind != TarEntry::Kind::kFile) return;
      try {
        visit(*find(entry.path), content());
      } catch (const Error& error) {
        if (error.code() != ExitCode::kBadInput) throw;
        problems.emplace_back(error.what());
      }
    });
  }
  return problems;
}

}  // namespace torchpkg
