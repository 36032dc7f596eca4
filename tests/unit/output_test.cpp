// SPDX-License-Identifier: BSD-3-Clause
// What is printed where nothing can be written.
#include "sample_package.h"
#include "support.h"

namespace torchpkg::test {
namespace {

TEST(Output, IsNotLostInSilence) {
  const TemporaryFolder folder;
  const fs::path root = make_static_sample_package(folder.path());
  const std::string path = root.string();
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--help"},
                                             {"--version"},
                                             {"inspect", path + "/lib/libc10.a"},
                                             {"inspect", path},
                                             {"check", path}}) {
    std::vector<std::string> command{"sh", "-c", "\"$0\" \"$@\" > /dev/full", TORCHPKG_PROGRAM};
    command.insert(command.end(), words.begin(), words.end());
    const CommandResult result = run_command(command);
    EXPECT_EQ(result.exit_code, 4) << words[0] << "\n" << result.output;
    EXPECT_TRUE(contains(result.output, "torchpkg: standard output cannot be written"));
  }
}

/// A name, or a SONAME, must not be a command for the terminal.
TEST(Output, HasNoControlCharacters) {
  const TemporaryFolder folder;
  const fs::path library = folder / "lib\x1b[31m.so";
  compile("int f() { return 1; }\n", library, {"-shared", "-fPIC", "-Wl,-soname,a\x1b[31m.so"});
  const std::string missing = library.string() + ".2";
  for (const std::string& path : {library.string(), folder.path().string(), missing}) {
    const CommandResult result = torchpkg({"inspect", path});
    EXPECT_EQ(result.exit_code, path == missing ? 4 : 0);
    EXPECT_FALSE(contains(result.output, "\x1b")) << path;
    EXPECT_TRUE(contains(result.output, "\\x1b[31m.so")) << result.output;
  }
}

}  // namespace
}  // namespace torchpkg::test
