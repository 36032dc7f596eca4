// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <utility>

#include "support.h"

namespace torchpkg::test {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20U;

TEST(Pack, KilledItLeavesNoArchiveAndTheNextRunCleansUp) {
  const TemporaryFolder folder;
  write_file(folder / "p/a", sample_bytes(64 * kMiB, 9));
  const std::string output = (folder / "dist/out.zip").string();
  const std::string root = (folder / "p").string();
  std::vector<std::string> command{TORCHPKG_PROGRAM, "pack", "--root",  root,
                                   "--output",       output, "--level", "12"};
  pid_t child = 0;
  ASSERT_EQ(::posix_spawn(&child, TORCHPKG_PROGRAM, nullptr, nullptr,
                          argument_array(command).data(), environ),
            0);
  const auto partial_files = [&folder] {
    std::error_code error;
    return std::distance(fs::directory_iterator(folder / "dist", error), {});
  };
  for (int i = 0; i < 20000 && partial_files() == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(fs::exists(output));
  EXPECT_EQ(partial_files(), 1);

  fs::resize_file(folder / "p/a", kMiB);
  EXPECT_EQ(torchpkg({"pack", "--root", root, "--output", output}).exit_code, 0);
  EXPECT_TRUE(fs::exists(output));
  EXPECT_EQ(partial_files(), 1);  // the archive
}

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
