// SPDX-License-Identifier: BSD-3-Clause
#include "conda/package_reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/core.h>
#include <libdeflate.h>

#include <memory>
#include <new>

#include "common/error.h"
#include "common/json.h"
#include "common/text.h"
#include "common/unpack_limits.h"
#include "zip/format.h"
#include "zip/tree.h"

namespace torchpkg::conda {

namespace {

constexpr std::string_view kSuffix = ".tar.zst";
constexpr std::string_view kRemedy = "make the package again";

struct FreeArchive {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

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

std::string text_or_empty(const char* text) { return text != nullptr ? text : ""; }

/// Names as UTF-8, whatever the locale; libarchive has none of those that are not.
TreeEntry describe(archive_entry* entry) {
  using Kind = TreeEntry::Kind;
  TreeEntry found;
  found.name = text_or_empty(archive_entry_pathname_utf8(entry));
  if (found.name.empty()) found.name = text_or_empty(archive_entry_pathname(entry));
  found.size = static_cast<std::uint64_t>(archive_entry_size(entry));
  found.mode = archive_entry_perm(entry);
  const auto type = archive_entry_filetype(entry);
  found.kind = type == AE_IFREG   ? Kind::kFile
               : type == AE_IFDIR ? Kind::kFolder
               : type == AE_IFLNK ? Kind::kSymlink
                                  : Kind::kOther;
  if (archive_entry_hardlink_utf8(entry) != nullptr || archive_entry_hardlink(entry) != nullptr) {
    found.kind = Kind::kOther;
  }
  if (found.kind == Kind::kSymlink) found.target = text_or_empty(archive_entry_symlink_utf8(entry));
  return found;
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
  const std::vector<std::string> of_tree = tree_problems(zip::read_tree(zip_), {});
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
  const Bytes data = tar_of(part);
  const std::unique_ptr<archive, FreeArchive> reader(archive_read_new());
  if (!reader) throw std::bad_alloc();
  const auto fail = [&] {
    return bad(fmt::format("{}{}{}: {}", prefix_of(part), stem_, kSuffix,
                           text_or_empty(archive_error_string(reader.get()))));
  };
  archive_read_support_filter_zstd(reader.get());
  archive_read_support_format_tar(reader.get());
  if (archive_read_open_memory(reader.get(), data.data(), data.size()) != ARCHIVE_OK) throw fail();
  if (archive_filter_count(reader.get()) > 2) {  // the file itself counts
    throw bad(fmt::format("{}{}{} is compressed twice", prefix_of(part), stem_, kSuffix));
  }
  UnpackLimits limits(data.size());
  archive_entry* entry = nullptr;
  std::vector<std::uint8_t> step(std::size_t{1} << 20U);
  for (;;) {
    const int result = archive_read_next_header(reader.get(), &entry);
    if (result == ARCHIVE_EOF) return;
    if (result < ARCHIVE_WARN) throw fail();
    const TreeEntry found = describe(entry);
    limits.count(found.name, found.size, data.size());
    limits.check_stream(static_cast<std::uint64_t>(archive_filter_bytes(reader.get(), 0)));
    visit(found, [&] {
      std::vector<std::uint8_t> content;
      content.reserve(found.size);
      for (;;) {
        const la_ssize_t count = archive_read_data(reader.get(), step.data(), step.size());
        if (count < 0) throw fail();
        if (count == 0) return content;
        // The holes of a sparse file may go on after its end.
        if (static_cast<std::uint64_t>(count) > found.size - content.size()) {
          throw bad(fmt::format("{} goes on after the {} of its header", printable(found.name),
                                human_size(found.size)));
        }
        content.insert(content.end(), step.begin(), step.begin() + count);
      }
    });
  }
}

}  // namespace torchpkg::conda
