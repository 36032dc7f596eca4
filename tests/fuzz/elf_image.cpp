// SPDX-License-Identifier: BSD-3-Clause
// An ELF file: all that ElfImage reads, the facts of a library, the symbols of an object.
#include "elf/elf_image.h"

#include "archive/object_symbols.h"
#include "elf/inspect_elf.h"
#include "fuzz.h"
#include "package/code_facts.h"

using torchpkg::Bytes;
using torchpkg::ElfImage;
using torchpkg::Symbol;
using torchpkg::SymbolTable;
using torchpkg::fuzz::may_refuse;
using torchpkg::fuzz::must;

namespace {

void read_symbols(const ElfImage& image, Bytes bytes, SymbolTable table) {
  image.for_each_symbol(table, [bytes](const Symbol& symbol) {
    const auto* name = reinterpret_cast<const std::uint8_t*>(symbol.name.data());
    must(name >= bytes.data() && name + symbol.name.size() <= bytes.data() + bytes.size(),
         "a symbol's name lies in the file");
    must(symbol.other_at < bytes.size() && bytes[symbol.other_at] == symbol.other,
         "a symbol's byte st_other lies where the header says");
  });
}

void read_image(Bytes bytes) {
  const ElfImage image(bytes, "input");
  may_refuse([&] { (void)image.sections(); });
  may_refuse([&] { (void)image.dynamic(); });
  may_refuse([&] { (void)image.needed_versions(); });
  may_refuse([&] { (void)image.build_id(); });
  may_refuse([&] { (void)image.section(".rodata"); });
  may_refuse([&] { read_symbols(image, bytes, SymbolTable::kDynamic); });
  may_refuse([&] { read_symbols(image, bytes, SymbolTable::kStatic); });
  may_refuse([&] {
    const auto mark = image.stack_mark();
    if (!mark) return;
    must(mark->first < bytes.size() && bytes[mark->first] == (mark->second | 1U),
         "the mark of the stack lies where the header says");
  });
  may_refuse([&] { (void)torchpkg::inspect_elf(image); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const torchpkg::fuzz::GuardedCopy copy(data, size);
  const Bytes bytes = copy.bytes();
  may_refuse([&] { read_image(bytes); });
  may_refuse([&] { (void)torchpkg::read_elf_facts("lib/input.so", bytes, true); });
  may_refuse([&] {
    for (const auto& [at, byte] : torchpkg::read_object_symbols(bytes, "input.o", true).hiding) {
      must(at < bytes.size(), "what is to be hidden lies in the file");
    }
  });
  return 0;
}
