// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/file.h"

namespace torchpkg {

/// A name that an object defines and other objects can mean too.
struct ObjectSymbol {
  std::string_view name;
  bool weak = false;  ///< other objects may define it as well; so with common blocks
};

/// What a linker sees of an object. The names lie in the object's bytes.
struct ObjectSymbols {
  std::vector<ObjectSymbol> symbols;  ///< in the object's order

  /// Bytes of the object, and what they have to become, so that all that it defines has hidden
  /// visibility.
  std::vector<std::pair<std::uint64_t, std::uint8_t>> hiding;
};

/// Reads an object; its bytes must outlive the result.
/// `name`: for messages, such as `libx.a(x.o)`.
/// Error: kBadInput when it is damaged or not an ELF object for linking, such as LTO's intermediate
/// code.
ObjectSymbols read_object_symbols(Bytes content, const std::string& name);

}  // namespace torchpkg
