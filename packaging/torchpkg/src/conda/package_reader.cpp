// SPDX-License-Identifier: BSD-3-Clause
#include "conda/package_reader.h"

#include <fmt/core.h>
#include <libdeflate.h>

#include <optional>

#include "common/error.h"
#include "common/json.h"
#include "common/unpack_limits.h"
#include "conda/tar_reader.h"
#include "zip/format.h"
#include "zip/tree.h"

namespace torchpkg::conda {

namespace {

constexpr std::string_view kSuffix = ".tar.zst";
constexpr std::string_view kRemedy = "make the package again";

Error bad(const std::string& what) { return {ExitCode::kBadInput, what, std::string(kRemedy)}; }

std::string_view prefix_of(PackageReader::Part part) {
  return part == PackageReader::Part::kInfo ? "info-" : "pkg-";
}

const zip::Entry* find(const zip::Reader& zip, const std::string& name) {
  for (const zip::Entry& entry : zip.entries()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace

PackageReader::PackageReader(Bytes package) : zip_(package) {
  const zip::Entry* metadata = find(zip_, "metadata.json");
  if (metadata == nullptr) throw bad("it has no metadata.json");
  check_text_size(metadata->name, metadata->size);
  const std::vector<std::uint8_t> text = zip_.content(*metadata);
  using Json = nlohmann::json;
  const Json json = parse_json<Json>(as_text(text));
  if (!json.is_object() || json.value("conda_pkg_format_version", Json()) != 2) {
    throw bad("metadata.json does not say that it is of format 2");
  }
  for (const zip::Entry& entry : zip_.entries()) {
    if (entry.name.starts_with(prefix_of(Part::kInfo)) && entry.name.ends_with(kSuffix)) {
      stem_ = entry.name.substr(prefix_of(Part::kInfo).size());
      stem_.resize(stem_.size() - kSuffix.size());
    }
  }
  if (stem_.empty()) throw bad("it has no info-*.tar.zst");
  (void)tar_of(Part::kFiles);
}

std::vector<std::string> PackageReader::zip_problems() const {
  std::vector<std::string> problems = zip_.layout_problems();
  std::vector<TreeEntry> tree = zip::read_tree(zip_);
  for (TreeEntry& entry : tree) entry.mode |= 0444U;  // Python writes 600; nobody unpacks this zip
  const std::vector<std::string> of_tree = tree_problems(tree, {});
  problems.insert(problems.end(), of_tree.begin(), of_tree.end());
  return problems;
}

Bytes PackageReader::tar_of(Part part) const {
  const std::string name = fmt::format("{}{}{}", prefix_of(part), stem_, kSuffix);
  const zip::Entry* entry = find(zip_, name);
  if (entry == nullptr) throw bad(fmt::format("it has no {}", name));
  if (entry->method != zip::kStored) throw bad(fmt::format("{} is compressed twice", name));
  const Bytes data = zip_.compressed_data(*entry);
  if (libdeflate_crc32(0, data.data(), data.size()) != entry->crc) {
    throw bad(fmt::format("{} is damaged: its CRC is wrong", name));
  }
  return data;
}

void PackageReader::for_each(Part part, const Visit& visit) const {
  TarReader tar(tar_of(part), fmt::format("{}{}{}", prefix_of(part), stem_, kSuffix));
  while (const std::optional<TreeEntry> entry = tar.next()) {
    visit(*entry, [&tar] { return tar.content(); });
  }
}

}  // namespace torchpkg::conda
