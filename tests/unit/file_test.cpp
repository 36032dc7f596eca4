// SPDX-License-Identifier: BSD-3-Clause
#include "common/file.h"

#include <gtest/gtest.h>

#include "support.h"

namespace torchpkg::test {
namespace {

/// Otherwise a SIGBUS: nothing is there to be read.
TEST(MappedFile, EndsTheProcessWhenItBecomesShorter) {
  const TemporaryFolder folder;
  const fs::path path = folder / "cut short";
  write_file(path, std::string(1 << 20, 'x'));
  const auto read_what_is_gone = [&path] {
    const MappedFile mapped(path);
    const MappedFile other(TORCHPKG_PROGRAM);
    fs::resize_file(path, 100);
    const volatile std::uint8_t* at = &mapped.bytes()[1 << 19];
    return *at;
  };
  EXPECT_EXIT((void)read_what_is_gone(), testing::ExitedWithCode(4),
              "cut short became shorter while it was read\nremedy: let nothing write there");
}

}  // namespace
}  // namespace torchpkg::test
