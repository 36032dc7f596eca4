// SPDX-License-Identifier: BSD-3-Clause
// Debug information belongs in a package of its own, in which a debugger finds it.
#include <fmt/core.h>

#include <filesystem>

#include "checks/checks.h"
#include "package/elf_lookup.h"

namespace torchpkg {

namespace {

/// Where debuggers look for a build ID, below the folder that they know.
/// https://sourceware.org/gdb/current/onlinedocs/gdb.html/Separate-Debug-Files.html
std::string build_id_path(const std::string& build_id) {
  return fmt::format(".build-id/{}/{}.debug", build_id.substr(0, 2), build_id.substr(2));
}

/// PyTorch's own libraries are compiled here; what was copied has no debug information, and
/// extension modules are a few lines that setuptools compiles.
bool is_compiled_here(const PackageFacts& facts, const ElfFacts& elf) {
  const bool program = elf.info.program && !facts.wheel;
  return elf.info.type == "shared" && !program && !is_extension_module(elf.path) &&
         !is_bundled(facts, elf);
}

/// What is wrong with the link from a library to its debug file.
std::string wrong_link(const ElfFacts& elf, const DebugFacts& debug) {
  if (elf.info.build_id.size() < 3) return elf.path + " has no build ID";
  if (elf.debug_link.file.empty()) return elf.path + " has no .gnu_debuglink";
  const auto folder = std::filesystem::path(elf.path).parent_path() / ".debug";
  const std::string path = (folder / elf.debug_link.file).generic_string();
  const auto found = debug.files.find(path);
  if (found == debug.files.end()) {
    return fmt::format("{} has no {}, to which {} refers", debug.package, path, elf.path);
  }
  const DebugFile& file = found->second;
  if (file.build_id != elf.info.build_id) {
    return fmt::format("{} has the build ID {}, {} has {}", path, file.build_id, elf.path,
                       elf.info.build_id);
  }
  if (file.crc != elf.debug_link.crc) {
    return fmt::format("{} has the CRC {:08x}, {} asks for {:08x}", path, file.crc, elf.path,
                       elf.debug_link.crc);
  }
  if (!file.lines && !elf.exported.empty()) return path + " has no line numbers";
  const std::string link = (folder / build_id_path(elf.info.build_id)).generic_string();
  const auto target = debug.links.find(link);
  if (target == debug.links.end() || target->second != path) {
    return fmt::format("{} has no link {} to {}", debug.package, link, path);
  }
  return {};
}

}  // namespace

void check_debug_information(const PackageFacts& facts, Row& row) {
  row.looked_at = facts.debug ? elf_count(facts) + ", " + facts.debug->package : elf_count(facts);
  row.limit = "none inside; in the debug package, reached by link and by build ID";
  std::vector<std::string> wrong;
  for (const ElfFacts& elf : facts.elves) {
    if (elf.debug_size > 0) {
      wrong.push_back(
          fmt::format("{} has {} bytes of debug information inside", elf.path, elf.debug_size));
    }
  }
  for (const ArchiveFacts& archive : facts.archives) {
    if (archive.debug_size > 0) {
      wrong.push_back(fmt::format("{} has {} bytes of debug information inside", archive.path,
                                  archive.debug_size));
    }
  }
  if (!facts.debug) {
    return row.decide(std::move(wrong),
                      "none inside; no debug package was given (--debug-package)");
  }
  const DebugFacts& debug = *facts.debug;
  wrong.insert(wrong.end(), debug.problems.begin(), debug.problems.end());
  std::size_t libraries = 0;
  for (const ElfFacts& elf : facts.elves) {
    if (!is_compiled_here(facts, elf)) continue;
    ++libraries;
    std::string problem = wrong_link(elf, debug);
    if (!problem.empty()) wrong.push_back(std::move(problem));
  }
  if (debug.files.size() > libraries) {
    wrong.push_back(fmt::format("{} has {} files for {} libraries", debug.package,
                                debug.files.size(), libraries));
  }
  row.decide(std::move(wrong), fmt::format("of {} libraries", libraries));
}

}  // namespace torchpkg
