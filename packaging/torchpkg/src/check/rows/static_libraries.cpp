// SPDX-License-Identifier: BSD-3-Clause
#include <cctype>

#include "check/rows.h"
#include "common/text.h"

namespace torchpkg {

namespace {

/// Whether `word` stands in `text`, not as part of a longer name.
bool has_word(const std::string& text, const std::string& word) {
  const auto part_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !part_of_name(text[at - 1]);
    const bool ends = end >= text.size() || !part_of_name(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

/// Whether a CMake file names a library: `libdnnl.a`, or `dnnl` where the name is put together.
bool is_named(const Facts& facts, const std::string& file) {
  const std::string bare = file.substr(3, file.size() - 5);
  for (const auto& [path, text] : facts.texts) {
    if (!path.ends_with(".cmake")) continue;
    if (text.find(file) != std::string::npos || has_word(text, bare)) return true;
  }
  return false;
}

bool asks_for_whole_archive(const Facts& facts) {
  for (const auto& [path, text] : facts.texts) {
    const bool named = text.find("whole-archive") != std::string::npos ||
                       text.find("WHOLE_ARCHIVE") != std::string::npos;
    if (path.ends_with(".cmake") && named) return true;
  }
  return false;
}

void check_archive(const Facts& facts, const ArchiveFacts& archive, Row& row) {
  const std::string name = archive.file_name();
  if (archive.thin) {
    return row.wrong(archive.path + " is a thin archive: its objects are not inside");
  }
  for (const std::string& member : archive.odd) row.wrong(member);
  if (archive.objects == 0) row.wrong(archive.path + " has no object");
  if (archive.objects > 0 && !archive.has_index) {
    row.wrong(archive.path + " has no index: linkers find no symbol in it (ranlib makes one)");
  }
  if (!name.starts_with("lib") || !name.ends_with(".a")) {
    row.wrong(archive.path + " is not named lib<name>.a");
  } else if (!is_named(facts, name)) {
    row.wrong(archive.path + " is named in no CMake file: nobody would link it");
  }
}

}  // namespace

void check_static_libraries(const Facts& facts, Row& row) {
  if (!facts.manifest.is_static) return row.not_applicable("a shared package");
  row.limit = "whole, indexed, named in the CMake package, linked as whole archives";
  for (const std::string name : {"lib/libc10.a", "lib/libtorch_cpu.a"}) {
    if (facts.files.count(name) == 0) row.wrong(name + " is missing");
  }
  std::size_t objects = 0;
  for (const ArchiveFacts& archive : facts.archives) {
    check_archive(facts, archive, row);
    objects += archive.objects;
  }
  if (!asks_for_whole_archive(facts)) {
    row.wrong("no CMake file asks for whole archives: operators would be missing at run time");
  }
  row.found = counted(objects, "object");
}

}  // namespace torchpkg
