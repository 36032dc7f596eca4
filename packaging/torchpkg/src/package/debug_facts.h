// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "package/package_source.h"

namespace torchpkg {

/// A file with the debug information of one library.
struct DebugFile {
  std::string build_id;
  std::uint32_t crc = 0;  ///< CRC-32 of the whole file, which a library's debug link names
  bool lines = false;     ///< has line numbers
};

/// What a debug package holds.
struct DebugFacts {
  std::string package;                       ///< its name, for messages
  std::map<std::string, DebugFile> files;    ///< by path
  std::map<std::string, std::string> links;  ///< symlinks: path, and the path that it leads to
  std::vector<std::string> problems;         ///< damage and forbidden paths, one sentence each
};

/// Reads a debug package once. `forbidden`: paths of the build that no file may have inside.
/// `jobs`: threads, 0: as many as processors.
DebugFacts gather_debug_facts(const PackageSource& source, const std::string& package,
                              const std::vector<std::string>& forbidden, unsigned jobs);

}  // namespace torchpkg
