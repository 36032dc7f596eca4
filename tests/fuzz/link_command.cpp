// SPDX-License-Identifier: BSD-3-Clause
// The line of a link, as a shell splits it; and the same text as a response file.
#include "archive/link_command.h"

#include "archive/shell_words.h"
#include "fuzz.h"

using torchpkg::fuzz::may_refuse;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const torchpkg::fuzz::GuardedCopy copy(data, size);
  const std::string_view text = torchpkg::as_text(copy.bytes());
  may_refuse([&] {
    const auto command = torchpkg::parse_link_command(text, "link.txt", "there-is-no-such-folder");
    (void)command.excludes("libx.a");
  });
  may_refuse([&] { (void)torchpkg::response_words(text, "link.rsp"); });
  return 0;
}
