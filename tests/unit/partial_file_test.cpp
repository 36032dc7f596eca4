// SPDX-License-Identifier: BSD-3-Clause
#include "common/partial_file.h"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "common/error.h"
#include "support.h"

namespace torchpkg::test {
namespace {

bool no_locks = false;

}  // namespace
}  // namespace torchpkg::test

/// In place of the C library's: as on a file system without locks, when a test asks for that.
extern "C" int flock(int file, int operation) noexcept {
  if (!torchpkg::test::no_locks) return static_cast<int>(::syscall(SYS_flock, file, operation));
  errno = ENOLCK;
  return -1;
}

namespace torchpkg::test {
namespace {

TEST(PartialFile, AppearsWhenItIsCommitted) {
  const TemporaryFolder folder;
  const fs::path path = folder / "below/a.txt";
  PartialFile partial(path);
  EXPECT_FALSE(fs::exists(path));
  partial.commit();
  EXPECT_TRUE(fs::exists(path));
  EXPECT_FALSE(fs::exists(partial.path()));
}

TEST(PartialFile, LeavesNothingWithoutACommit) {
  const TemporaryFolder folder;
  { const PartialFile partial(folder / "a.txt"); }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(PartialFile, TwoAtOnceDoNotTouchEachOther) {
  const TemporaryFolder folder;
  PartialFile first(folder / "a.txt");
  PartialFile second(folder / "a.txt");
  remove_stale_partials_below(folder.path());
  EXPECT_NE(first.path(), second.path());
  second.commit();
  first.commit();
  EXPECT_TRUE(fs::exists(folder / "a.txt"));
}

TEST(PartialFile, RemovesWhatNobodyHolds) {
  const TemporaryFolder folder;
  write_file(folder / "a.txt.partial-1", "half");
  write_file(folder / "b.txt.partial-1", "half");
  fs::create_symlink("b.txt.partial-1", folder / "a.txt.partial-2");
  const PartialFile partial(folder / "a.txt");
  EXPECT_FALSE(fs::exists(folder / "a.txt.partial-1"));
  EXPECT_TRUE(fs::is_symlink(folder / "a.txt.partial-2"));
  EXPECT_TRUE(fs::exists(folder / "b.txt.partial-1"));
}

TEST(PartialFile, IsWrittenWithoutLocksAndThenRemovesNothing) {
  const TemporaryFolder folder;
  write_file(folder / "a.txt.partial-1", "half");
  no_locks = true;
  {
    PartialFile partial(folder / "a.txt");
    partial.commit();
  }
  no_locks = false;
  EXPECT_TRUE(fs::exists(folder / "a.txt"));
  EXPECT_TRUE(fs::exists(folder / "a.txt.partial-1"));
}

TEST(PartialFile, NamesTheFileThatCannotBeWritten) {
  const TemporaryFolder folder;
  write_file(folder / "file", "");
  EXPECT_THROW(PartialFile(folder / "file/a.txt"), Error);
}

}  // namespace
}  // namespace torchpkg::test
