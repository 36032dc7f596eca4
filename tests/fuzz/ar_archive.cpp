// SPDX-License-Identifier: BSD-3-Clause
// A static library: its members, its index, what the objects in it define.
#include "elf/ar_archive.h"

#include "fuzz.h"
#include "package/code_facts.h"

using torchpkg::fuzz::may_refuse;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const torchpkg::fuzz::GuardedCopy copy(data, size);
  may_refuse([&] {
    const torchpkg::ArArchive archive(copy.bytes(), "input.a");
    (void)archive.index();
  });
  may_refuse([&] { (void)torchpkg::read_archive_facts("lib/input.a", copy.bytes()); });
  return 0;
}
