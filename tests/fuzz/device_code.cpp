// SPDX-License-Identifier: BSD-3-Clause
// Device code: a fat binary, and those in an ELF file or a static library.
#include "cuda/device_code.h"

#include "cuda/fat_binary.h"
#include "fuzz.h"
#include "package/cuda_facts.h"

using torchpkg::Bytes;
using torchpkg::DeviceCode;
using torchpkg::fuzz::may_refuse;
using torchpkg::fuzz::must;

namespace {

void look_at(const DeviceCode& code, Bytes bytes) {
  std::size_t grouped = 0;
  for (const auto& [targets, group] : code.groups) {
    must(!targets.empty() && group.count > 0 && !group.first.empty(), "a group has members");
    grouped += group.count;
  }
  must(grouped <= code.fat_binaries, "every fat binary is in one group at most");
  must(code.none() || !bytes.empty(), "code lies in the file");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const torchpkg::fuzz::GuardedCopy copy(data, size);
  const Bytes bytes = copy.bytes();
  may_refuse([&] {
    const torchpkg::FatBinary found = torchpkg::read_fat_binary(bytes, 0);
    must(found.size <= bytes.size(), "a fat binary lies in the file");
    must(found.entries.size() * 64 <= found.size, "its entries lie in it");
  });
  may_refuse([&] {
    const torchpkg::ElfImage image(bytes, "input");
    look_at(torchpkg::read_device_code(image), bytes);
  });
  may_refuse([&] {
    const torchpkg::ArArchive archive(bytes, "input.a");
    look_at(torchpkg::read_device_code(archive), bytes);
  });
  may_refuse([&] { (void)torchpkg::read_cuda_facts("lib/libtorch_cuda.so", bytes); });
  return 0;
}
