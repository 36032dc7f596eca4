// SPDX-License-Identifier: BSD-3-Clause
// Debug information belongs in a package of its own, in which a debugger finds it.
#include <fmt/core.h>

#include <filesystem>

#include "check/rows.h"
#include "common/text.h"

namespace torchpkg {

namespace {

/// PyTorch's own libraries, and in a wheel its programs, are compiled here; what was copied has no
/// debug information, and extension modules are a few lines that setuptools compiles.
bool is_compiled_here(const Facts& facts, const ElfFacts& elf) {
  const std::string name = elf.file_name();
  const bool module = name.find(".cpython-") != std::string::npos || name.ends_with(".abi3.so");
  const bool program = elf.program && facts.kind != Facts::Kind::kWheel;
  return elf.type == "shared" && !program && !module && !facts.manifest.is_bundled(name);
}

/// What is wrong with the link from a library to its debug file.
std::string wrong_link(const Facts& facts, const ElfFacts& elf) {
  const DebugFacts& debug = *facts.debug;
  if (elf.build_id.size() < 3) return elf.path + " has no build ID";
  if (elf.debug_link.file.empty()) return elf.path + " has no .gnu_debuglink";
  // The debug package of a wheel has the paths of what lies in torch/.
  const std::size_t top = facts.kind == Facts::Kind::kWheel ? facts.root.size() : 0;
  const auto folder = std::filesystem::path(elf.path.substr(top)).parent_path() / ".debug";
  const std::string path = (folder / elf.debug_link.file).generic_string();
  const auto found = debug.files.find(path);
  if (found == debug.files.end()) {
    return fmt::format("{} has no {}, to which {} refers", debug.name, path, elf.path);
  }
  const DebugFile& file = found->second;
  if (file.build_id != elf.build_id) {
    return fmt::format("{} has the build ID {}, {} has {}", path, file.build_id, elf.path,
                       elf.build_id);
  }
  if (file.crc != elf.debug_link.crc) {
    return fmt::format("{} has the CRC {:08x}, {} asks for {:08x}", path, file.crc, elf.path,
                       elf.debug_link.crc);
  }
  if (!file.lines && !elf.code.defined.empty()) return path + " has no line numbers";
  // https://sourceware.org/gdb/current/onlinedocs/gdb.html/Separate-Debug-Files.html
  const std::string link = fmt::format("{}/.build-id/{}/{}.debug", folder.generic_string(),
                                       elf.build_id.substr(0, 2), elf.build_id.substr(2));
  const auto target = debug.links.find(link);
  if (target == debug.links.end() || target->second != path) {
    return fmt::format("{} has no link {} to {}", debug.name, link, path);
  }
  return {};
}

}  // namespace

void check_debug_information(const Facts& facts, Row& row) {
  row.limit = "none inside; in the debug package, reached by link and by build ID";
  const auto look_inside = [&](const LibraryFacts& library) {
    if (library.debug_size == 0 || facts.manifest.is_unchanged(library.file_name())) return;
    row.wrong(fmt::format("{} has {} bytes of debug information inside", library.path,
                          library.debug_size));
  };
  for (const ElfFacts& elf : facts.elves) look_inside(elf);
  for (const ArchiveFacts& archive : facts.archives) look_inside(archive);
  row.found = "none inside; no debug package was given";
  if (!facts.debug) return;
  for (const std::string& one : facts.debug->forbidden) row.wrong(facts.debug->name + ": " + one);
  std::size_t libraries = 0;
  for (const ElfFacts& elf : facts.elves) {
    if (!is_compiled_here(facts, elf)) continue;
    ++libraries;
    const std::string problem = wrong_link(facts, elf);
    if (!problem.empty()) row.wrong(problem);
  }
  if (facts.debug->files.size() > libraries) {
    row.wrong(fmt::format("{} has {} for {}", facts.debug->name,
                          counted(facts.debug->files.size(), "file"),
                          counted(libraries, "library", "libraries")));
  }
  row.found = fmt::format("none inside; that of {} is in the debug package",
                          counted(libraries, "library", "libraries"));
}

}  // namespace torchpkg
