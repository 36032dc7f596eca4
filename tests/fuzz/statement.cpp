// SPDX-License-Identifier: BSD-3-Clause
// The provenance statement beside a packed file.
#include "verify/statement.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const torchpkg::fuzz::GuardedCopy copy(data, size);
  torchpkg::fuzz::may_refuse([&] {
    (void)torchpkg::parse_statement(torchpkg::as_text(copy.bytes()), "a.zip.intoto.json");
  });
  return 0;
}
