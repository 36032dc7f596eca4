// SPDX-License-Identifier: BSD-3-Clause
// Offload bundles: one alone, and those in an ELF file.
#include "rocm/offload_bundle.h"

#include "fuzz.h"
#include "rocm/hip_code.h"

using torchpkg::Bytes;
using torchpkg::fuzz::may_refuse;
using torchpkg::fuzz::must;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const torchpkg::fuzz::GuardedCopy copy(data, size);
  const Bytes bytes = copy.bytes();
  may_refuse([&] {
    const torchpkg::OffloadBundle found = torchpkg::read_offload_bundle(bytes, 0);
    must(found.size > 0 && found.size <= bytes.size(), "a bundle lies in the file");
  });
  may_refuse([&] {
    const torchpkg::HipFacts facts = torchpkg::read_hip_facts("lib/libtorch_hip.so", bytes);
    for (const auto& [targets, group] : facts.groups) {
      must(group.count > 0 && !group.first.empty(), "a group has members");
    }
  });
  return 0;
}
