// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <utility>

#include "support.h"

namespace torchpkg::test {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20U;

/// Sends a signal to a pack that has begun to write. `before`: a command that starts it.
CommandResult interrupted_pack(const fs::path& folder, const std::string& signal,
                               const std::string& before = "") {
  write_file(folder / "p/a", sample_bytes(64 * kMiB, 9));
  const std::string script =
      before + " \"$0\" pack --root \"$1\" --output \"$2/out.zip\" --level 12 & " +
      "while [ -z \"$(ls \"$2\" 2>/dev/null)\" ]; do sleep 0.01; done; kill -" + signal +
      " $!; wait $!";
  return run_command(
      {"sh", "-c", script, TORCHPKG_PROGRAM, (folder / "p").string(), (folder / "dist").string()});
}

TEST(Pack, InterruptedItLeavesNothing) {
  for (const auto& [signal, exit_code] : {std::pair{"TERM", 143}, std::pair{"HUP", 129}}) {
    const TemporaryFolder folder;
    const CommandResult result = interrupted_pack(folder.path(), signal);
    EXPECT_EQ(result.exit_code, exit_code) << result.output;
    EXPECT_TRUE(fs::is_empty(folder / "dist"));
  }
}

TEST(Pack, BelowNohupItOutlivesTheTerminal) {
  const TemporaryFolder folder;
  const CommandResult result = interrupted_pack(folder.path(), "HUP", "nohup");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(fs::exists(folder / "dist/out.zip"));
}

}  // namespace
}  // namespace torchpkg::test
