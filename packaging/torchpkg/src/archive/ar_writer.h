// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "archive/object_symbols.h"
#include "common/file.h"

namespace torchpkg {

/// An object that goes into a static library.
struct ArEntry {
  std::string name;       ///< base name; several may have the same
  Bytes content;          ///< as it was read; `symbols.hiding` is done in the written copy
  ObjectSymbols symbols;  ///< what it defines goes into the index
};

struct ArSummary {
  std::uint64_t bytes = 0;  ///< size of the file
  std::size_t symbols = 0;  ///< in its index
};

/// Up to where members may begin while the index has numbers of 32 bits.
constexpr std::uint64_t kNarrowIndexReach = std::numeric_limits<std::uint32_t>::max();

/// Writes a static library in GNU's format, with its index. The bytes depend on the entries only:
/// times and owners are 0. It appears under its name only when it is complete.
/// `narrow_reach`: smaller ones are for tests of `/SYM64/`.
/// Errors: kEnvironment (unwritable, disk full); Interrupted inside an InterruptGuard.
ArSummary write_ar(const std::filesystem::path& output, const std::vector<ArEntry>& entries,
                   std::uint64_t narrow_reach = kNarrowIndexReach);

}  // namespace torchpkg
