// SPDX-License-Identifier: BSD-3-Clause
// A package's manifest.json.
#include "package/manifest.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const torchpkg::fuzz::GuardedCopy copy(data, size);
  torchpkg::fuzz::may_refuse(
      [&] { (void)torchpkg::parse_manifest(torchpkg::as_text(copy.bytes()), "manifest.json"); });
  return 0;
}
