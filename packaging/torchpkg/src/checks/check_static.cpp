// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include <cctype>

#include "checks/checks.h"

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
bool is_named(const PackageFacts& facts, const std::string& file) {
  const std::string bare = file.substr(3, file.size() - 5);
  for (const auto& [path, text] : facts.texts) {
    if (!path.ends_with(".cmake")) continue;
    if (text.find(file) != std::string::npos || has_word(text, bare)) return true;
  }
  return false;
}

bool asks_for_whole_archive(const PackageFacts& facts) {
  for (const auto& [path, text] : facts.texts) {
    const bool named = text.find("whole-archive") != std::string::npos ||
                       text.find("WHOLE_ARCHIVE") != std::string::npos;
    if (path.ends_with(".cmake") && named) return true;
  }
  return false;
}

void check_archive_of_objects(const PackageFacts& facts, const ArchiveFacts& archive,
                              std::vector<std::string>& wrong) {
  const std::string name = archive.file_name();
  if (archive.thin) {
    wrong.push_back(archive.path + " is a thin archive: its objects are not inside");
    return;
  }
  wrong.insert(wrong.end(), archive.odd.begin(), archive.odd.end());
  if (archive.objects == 0) wrong.push_back(archive.path + " has no object");
  if (archive.objects > 0 && !archive.has_index) {
    wrong.push_back(archive.path +
                    " has no index: linkers find no symbol in it (ranlib makes one)");
  }
  if (archive.machines.size() > 1) {
    wrong.push_back(fmt::format("{} has objects for {} and {}", archive.path,
                                *archive.machines.begin(), *archive.machines.rbegin()));
  }
  if (!name.starts_with("lib") || !name.ends_with(".a")) {
    wrong.push_back(archive.path + " is not named lib<name>.a");
  } else if (!is_named(facts, name)) {
    wrong.push_back(archive.path + " is named in no CMake file: nobody would link it");
  }
}

}  // namespace

void check_static_libraries(const PackageFacts& facts, Row& row) {
  row.looked_at = fmt::format("{} static libraries", facts.archives.size());
  row.limit = "whole, indexed, named in the CMake package, linked as whole archives";
  std::vector<std::string> wrong;
  std::vector<std::string> libraries = {"lib/libc10.a", "lib/libtorch_cpu.a"};
  if (facts.manifest.cuda) {
    libraries.insert(libraries.end(), {"lib/libc10_cuda.a", "lib/libtorch_cuda.a"});
  }
  for (const std::string& needed : libraries) {
    if (facts.paths.count(needed) == 0) wrong.push_back(needed + " is missing");
  }
  std::size_t objects = 0;
  std::set<std::string> machines;
  for (const ArchiveFacts& archive : facts.archives) {
    check_archive_of_objects(facts, archive, wrong);
    objects += archive.objects;
    machines.insert(archive.machines.begin(), archive.machines.end());
  }
  if (machines.size() > 1) {
    wrong.push_back(fmt::format("there are libraries for {} and for {}", *machines.begin(),
                                *machines.rbegin()));
  }
  if (!asks_for_whole_archive(facts)) {
    wrong.emplace_back(
        "no CMake file asks for whole archives: operators would be missing at run time");
  }
  row.decide(std::move(wrong), fmt::format("{} objects", objects));
}

}  // namespace torchpkg
