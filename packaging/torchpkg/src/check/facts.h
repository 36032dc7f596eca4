// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/code_facts.h"
#include "check/manifest.h"

namespace torchpkg {

/// A file of debug information.
struct DebugFile {
  std::string build_id;
  std::uint32_t crc = 0;
  bool lines = false;  ///< has line numbers
};

/// What is known of the folder with the debug information of a package.
struct DebugFacts {
  std::string name;                          ///< of the folder
  std::map<std::string, DebugFile> files;    ///< by path: "lib/.debug/libc10.so.debug"
  std::map<std::string, std::string> links;  ///< symlinks, and the paths to which they lead
  std::vector<std::string> forbidden;        ///< "X contains /build/folder"
};

/// All that the checks decide from, gathered in one parallel pass. Paths are relative to the
/// folder.
struct Facts {
  enum class Kind { kLibtorch, kWheel, kConda };

  std::string name;  ///< of the folder
  Kind kind = Kind::kLibtorch;
  /// Where the manifest lies, and what a zip has at its top: "", "torch/" of a wheel.
  std::string root;
  Manifest manifest;
  std::map<std::string, std::string> files;  ///< by path: where a symlink leads; empty for a file
  std::vector<ElfFacts> elves;
  std::vector<ArchiveFacts> archives;        ///< static libraries
  std::map<std::string, std::string> texts;  ///< of the text files that checks look into
  std::vector<std::string> damaged;          ///< what is wrong with ELF files and static libraries
  std::vector<std::string> forbidden_paths;  ///< that were looked for
  std::vector<std::string> forbidden;        ///< "X contains /build/folder"
  std::optional<DebugFacts> debug;

  /// The content of a text file below `root`, or below the folder; null without one.
  [[nodiscard]] const std::string* text(const std::string& path) const;

  /// The ELF file at a path, through a symlink; null without one.
  [[nodiscard]] const ElfFacts* elf_at(const std::string& path) const;

  /// Whether a library is the package's own, by its name: one of PyTorch's. Without libtorch: all.
  [[nodiscard]] bool is_own(std::string_view file) const;
};

/// Reads everything once. `debug`: the folder with the debug information, may be empty.
/// `forbidden`: paths that must occur in no file. `jobs`: threads, 0: as many as processors.
/// Errors: kBadInput when the folder is none of a package, for a wrong manifest; kEnvironment for
/// what cannot be read.
Facts gather_facts(const std::filesystem::path& folder, const std::filesystem::path& debug,
                   const std::vector<std::string>& forbidden, unsigned jobs);

}  // namespace torchpkg
