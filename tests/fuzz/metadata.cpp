// SPDX-License-Identifier: BSD-3-Clause
// A wheel's METADATA, with its versions, requirements and licence expressions.
#include "fuzz.h"
#include "wheel/metadata_problems.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const torchpkg::fuzz::GuardedCopy copy(data, size);
  (void)torchpkg::wheel::metadata_problems(torchpkg::as_text(copy.bytes()), {"LICENSE"});
  return 0;
}
