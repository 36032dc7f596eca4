// SPDX-License-Identifier: BSD-3-Clause
#include "archive/object_symbols.h"

#include <elf.h>
#include <fmt/core.h>

#include "common/error.h"
#include "elf/elf_image.h"

namespace torchpkg {

namespace {

constexpr std::uint8_t kVisibility = 3;  ///< the bits of st_other that hold it

/// LLVM's intermediate code, alone or with a wrapper around it.
bool is_bitcode(Bytes content) {
  const std::string_view text = as_text(content);
  return text.starts_with("BC\xc0\xde") || text.starts_with("\xde\xc0\x17\x0b");
}

/// What GCC defines in an object that has nothing but its intermediate code.
constexpr std::string_view kSlimLto = "__gnu_lto_slim";

Error lto_error(const std::string& name) {
  return {ExitCode::kBadInput,
          name + " holds a compiler's intermediate code (-flto), which only that compiler can link",
          "build without -flto for a static library"};
}

}  // namespace

ObjectSymbols read_object_symbols(Bytes content, const std::string& name) {
  if (is_bitcode(content)) throw lto_error(name);
  if (!is_elf(content)) {
    throw Error(ExitCode::kBadInput, name + " is not an ELF object",
                "link the shared library without it, or build it as an ELF object");
  }
  const ElfImage image(content, name);
  if (image.type() != "relocatable") {
    throw Error(
        ExitCode::kBadInput,
        fmt::format("{} is not an object for linking, but of the type {}", name, image.type()),
        "name the objects that it was linked from");
  }
  ObjectSymbols result;
  image.for_each_symbol(SymbolTable::kStatic, [&](const Symbol& symbol) {
    if (symbol.local || !symbol.defined) return;
    if (symbol.name == kSlimLto) throw lto_error(name);
    result.symbols.push_back({symbol.name, symbol.weak || symbol.common});
    const unsigned visibility = symbol.other & kVisibility;
    if (visibility != STV_HIDDEN && visibility != STV_INTERNAL) {
      const unsigned hidden = (symbol.other & ~unsigned{kVisibility}) | STV_HIDDEN;
      result.hiding.emplace_back(symbol.other_at, static_cast<std::uint8_t>(hidden));
    }
  });
  result.symbols.shrink_to_fit();
  return result;
}

}  // namespace torchpkg
