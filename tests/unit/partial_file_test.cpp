// SPDX-License-Identifier: BSD-3-Clause
#include "common/partial_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "common/error.h"
#include "support.h"

namespace torchpkg::test {
namespace {

bool no_locks = false;
bool nfs = false;

}  // namespace
}  // namespace torchpkg::test

/// In place of the C library's: as on a file system without locks, or on NFS, when a test asks for
/// that.
extern "C" int flock(int file, int operation) noexcept {
  using namespace torchpkg::test;
  const bool only_read = (::fcntl(file, F_GETFL) & O_ACCMODE) == O_RDONLY;
  if (!no_locks && !(nfs && only_read)) {
    return static_cast<int>(::syscall(SYS_flock, file, operation));
  }
  errno = no_locks ? ENOLCK : EBADF;
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

TEST(PartialFile, RemovesWhatNobodyHoldsOnNfs) {
  const TemporaryFolder folder;
  write_file(folder / "a.txt.partial-1", "half");
  nfs = true;
  { const PartialFile partial(folder / "a.txt"); }
  nfs = false;
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(PartialFile, HasALongName) {
  std::string letters = "a";
  for (int i = 0; i < 127; ++i) letters += "ä";
  for (const std::string& name : {std::string(239, 'a'), std::string(255, 'a'), letters}) {
    const TemporaryFolder folder;
    const std::string stem = name == letters ? name.substr(0, 237) : name.substr(0, 238);
    write_file(folder / (stem + ".partial-1"), "half");
    PartialFile partial(folder / name);
    EXPECT_FALSE(fs::exists(folder / (stem + ".partial-1")));
    EXPECT_TRUE(partial.path().filename().string().starts_with(stem + ".partial-"));
    partial.commit();
    EXPECT_TRUE(fs::exists(folder / name));
  }
}

TEST(PartialFile, IsWrittenIntoAFolderThatCannotBeRead) {
  const TemporaryFolder folder;
  write_file(folder / "below/a.txt.partial-1", "half");
  fs::permissions(folder.path(), fs::perms::all);
  fs::permissions(folder / "below", fs::perms{0333});
  // root may read everything.
  const bool is_root = ::geteuid() == 0;
  ASSERT_TRUE(!is_root || ::seteuid(65534) == 0);
  {
    PartialFile partial(folder / "below/a.txt");
    partial.commit();
  }
  ASSERT_TRUE(!is_root || ::seteuid(0) == 0);
  EXPECT_TRUE(fs::exists(folder / "below/a.txt"));
  fs::permissions(folder / "below", fs::perms::owner_all);
}

TEST(PartialFile, NamesTheFileThatCannotBeWritten) {
  const TemporaryFolder folder;
  write_file(folder / "file", "");
  EXPECT_THROW(PartialFile(folder / "file/a.txt"), Error);
}

}  // namespace
}  // namespace torchpkg::test
