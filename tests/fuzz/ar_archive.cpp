// SPDX-License-Identifier: BSD-3-Clause
// A static library: its members, its index, what the objects in it define.
#include "elf/ar_archive.h"

#include "archive/input_archive.h"
#include "fuzz.h"
#include "package/code_facts.h"

using torchpkg::fuzz::may_refuse;
using torchpkg::fuzz::must;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const torchpkg::fuzz::GuardedCopy copy(data, size);
  may_refuse([&] {
    const torchpkg::ArArchive archive(copy.bytes(), "input.a");
    std::uint64_t before = 0;
    for (const torchpkg::ArMember& member : archive.members()) {
      must(member.at > before, "members come one after another");
      before = member.at;
    }
    (void)archive.index();
  });
  may_refuse([&] { (void)torchpkg::read_archive_facts("lib/input.a", copy.bytes()); });
  const torchpkg::fuzz::MemoryFile file(data, size);
  may_refuse([&] {
    torchpkg::InputArchive archive(file.path());
    for (const auto& definition : archive.definitions()) {
      must(definition.member < archive.members().size(), "a symbol is in one of the members");
    }
  });
  return 0;
}
