// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/file.h"

namespace torchpkg {

/// What an object says of a name that other objects can mean too.
enum class SymbolUse : std::uint8_t {
  kNeeded,    ///< undefined, and not weak: some other object has to define it
  kCommon,    ///< defined as a common block: gives way to another object's data
  kData,      ///< defined, and no function
  kFunction,  ///< defined
};

struct ObjectSymbol {
  std::string_view name;
  SymbolUse use = SymbolUse::kNeeded;
};

/// What a linker sees of an object. The names lie in the object's bytes.
struct ObjectSymbols {
  std::string machine;  ///< "x86_64, 64 bits"
  std::vector<ObjectSymbol>
      symbols;  ///< in the object's order; without local and weakly needed ones

  /// Bytes of the object, and what they have to become, so that all that it defines has hidden
  /// visibility.
  std::vector<std::pair<std::uint64_t, std::uint8_t>> hiding;
};

/// Reads an object; its bytes must outlive the result.
/// `name`: for messages, such as `libx.a(x.o)`; `hide`: whether `hiding` is filled.
/// Error: kBadInput when it is damaged or no ELF object for linking, LTO's intermediate code too.
ObjectSymbols read_object_symbols(Bytes content, const std::string& name, bool hide);

}  // namespace torchpkg
