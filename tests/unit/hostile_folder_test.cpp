// SPDX-License-Identifier: BSD-3-Clause
// Folders with one hostile entry: no packer takes what the check would refuse.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <functional>

#include "support.h"

namespace torchpkg::test {
namespace {

/// What is wrong with a folder, and what is said.
struct HostileFolder {
  std::function<void(const fs::path&)> make;
  std::string said;
};

TEST(HostileFolder, IsNeitherPackedNorPasses) {
  const std::vector<HostileFolder> all{
      {[](const fs::path& root) { write_file(root / "back\\slash", "x"); },
       "back\\slash has a backslash in its name"},
      {[](const fs::path& root) { write_file(root / "two\nlines", "x"); },
       "two\\x0alines has a name that is not UTF-8 or not printable"},
      {[](const fs::path& root) { write_file(root / "\xe9", "x"); },
       "\\xe9 has a name that is not UTF-8 or not printable"},
      {[](const fs::path& root) {
         write_file(root / "tool", "x");
         ASSERT_EQ(::chmod((root / "tool").c_str(), 04755), 0);
       },
       "tool has the mode 4755: setuid, setgid or sticky"},
      {[](const fs::path& root) { ASSERT_EQ(::mkfifo((root / "pipe").c_str(), 0600), 0); },
       "pipe is neither file, folder nor symlink"},
      {[](const fs::path& root) {
         ASSERT_EQ(::mknod((root / "socket").c_str(), S_IFSOCK | 0600, 0), 0);
       },
       "socket is neither file, folder nor symlink"},
      {[](const fs::path& root) { fs::create_symlink("/etc/passwd", root / "l"); },
       "l is a symlink to /etc/passwd, an absolute path"},
      {[](const fs::path& root) { fs::create_symlink("../x", root / "l"); },
       "l is a symlink to ../x, outside the package"},
      {[](const fs::path& root) {
         fs::create_directories(root / "a/b/c");
         fs::create_symlink("../../../a", root / "a/b/c/d");
         fs::create_symlink("a/b/c/d/../../home", root / "l");
       },
       "l is a symlink to a/b/c/d/../../home, outside the package"},
  };
  for (const HostileFolder& one : all) {
    const TemporaryFolder folder;
    const fs::path root = folder / "p";
    write_file(root / "file", "content");
    one.make(root);
    const CommandResult checked = torchpkg({"check", root.string()});
    EXPECT_EQ(checked.exit_code, 1) << checked.output;
    EXPECT_TRUE(contains(checked.output, one.said));
    for (const char* kind : {"zip", "wheel", "conda"}) {
      const CommandResult packed =
          torchpkg({"pack", kind, "--root", root.string(), "--output", (folder / "out").string()});
      EXPECT_EQ(packed.exit_code, 3) << packed.output;
      EXPECT_TRUE(contains(packed.output, one.said)) << kind;
      EXPECT_FALSE(fs::exists(folder / "out"));
    }
  }
}

TEST(HostileFolder, WhatAGoodOneMayHave) {
  const TemporaryFolder folder;
  write_file(folder / "p/a/file", "content");
  fs::create_symlink("..", folder / "p/a/l");
  ASSERT_EQ(::chmod((folder / "p/a").c_str(), 02775), 0);  // inherited on shared machines
  const CommandResult packed = torchpkg({"pack", "zip", "--root", (folder / "p").string(),
                                         "--output", (folder / "out.zip").string()});
  EXPECT_EQ(packed.exit_code, 0) << packed.output;
}

}  // namespace
}  // namespace torchpkg::test
