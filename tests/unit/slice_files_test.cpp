// SPDX-License-Identifier: BSD-3-Clause
// What becomes of the files that `torchpkg slice` changes: their space, links and modes, and after
// faults.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/interrupt.h"
#include "slice/sliced_file.h"
#include "slice_fixture.h"

namespace torchpkg::test {
namespace {

using SliceFiles = SliceFixture;

struct stat status_of(const fs::path& file) {
  struct stat status {};
  EXPECT_EQ(::stat(file.c_str(), &status), 0) << file;
  return status;
}

constexpr std::size_t kLarge = std::size_t{1} << 20U;

/// Two parts of a megabyte, of which one is dropped.
std::string large() { return fat_binary({"sm_80", "sm_90"}, kLarge); }

TEST_F(SliceFiles, WhatIsDroppedNeedsNoSpace) {
  for (const bool in_place : {false, true}) {
    const fs::path file = library("libk.so", large());
    fs::permissions(file, fs::perms::owner_all | fs::perms::group_read);
    const struct stat before = status_of(file);
    EXPECT_EQ(run(in_place ? Names{"--arch=9.0", "--in-place"} : Names{"--arch=9.0"}).exit_code, 0);
    const struct stat after = status_of(file);
    EXPECT_EQ(after.st_size, before.st_size);
    EXPECT_EQ(after.st_mode, before.st_mode);
    EXPECT_LE(after.st_blocks, before.st_blocks - 2000);
    EXPECT_EQ(after.st_ino == before.st_ino, in_place);
    EXPECT_EQ(snapshot(package_).size(), 1U) << "nothing beside it";
  }
}

TEST_F(SliceFiles, KeepsTheOwnerAndWhatDoesNotChange) {
  const fs::path file = library("libk.so", large());
  const bool is_root = ::chown(file.c_str(), 1234, 4321) == 0;  // others keep their own
  const struct stat before = status_of(file);
  EXPECT_EQ(run({"--arch=8.0", "--arch=9.0"}).exit_code, 0);
  EXPECT_EQ(status_of(file).st_ino, before.st_ino);
  EXPECT_EQ(run({"--arch=9.0"}).exit_code, 0);
  const struct stat after = status_of(file);
  EXPECT_NE(after.st_ino, before.st_ino);
  EXPECT_EQ(after.st_uid, before.st_uid);
  EXPECT_EQ(after.st_gid, before.st_gid) << is_root;
}

TEST_F(SliceFiles, OnAFileSystemWithoutHoles) {
  compile(
      "#include <errno.h>\n"
      "extern \"C\" int fallocate(int, int, long, long) { errno = EOPNOTSUPP; return -1; }\n",
      folder_ / "nofallocate.so", {"-shared", "-fPIC"});
  // The folder's name has a space, which separates libraries in LD_PRELOAD.
  const Names preloaded = {"sh", "-c",
                           "cd \"$0\" && ASAN_OPTIONS=verify_asan_link_order=0 "
                           "LD_PRELOAD=./nofallocate.so exec \"$@\"",
                           folder_.path().string()};
  const fs::path file = library("libk.so", large());
  fs::copy_file(file, folder_ / "whole.so");
  const CommandResult result = run({"--arch", "9.0", "--in-place"}, preloaded);
  EXPECT_TRUE(contains(result.output,
                       "\nthe file system has no holes in files: what was dropped is zeros\n"));
  const std::string without = file_content(file);
  const struct stat zeros = status_of(file);
  // As after an installation, which writes the zeros of a packed slice.
  EXPECT_FALSE(contains(run({"--arch", "9.0", "--in-place"}).output, "no holes"));
  EXPECT_LE(status_of(file).st_blocks, zeros.st_blocks - 2000);
  EXPECT_TRUE(file_content(file) == without);
  fs::copy_file(folder_ / "whole.so", file, fs::copy_options::overwrite_existing);
  EXPECT_EQ(run({"--arch", "9.0"}).exit_code, 0);
  EXPECT_TRUE(file_content(file) == without);
}

TEST_F(SliceFiles, EachFileOnceWhateverItsNames) {
  const Names all = {"sm_80", "sm_90"};
  for (const char* in_place : {"", "--in-place"}) {
    const fs::path file = library("liba.so", fat_binary(all));
    fs::create_hard_link(file, package_ / "libb.so");
    fs::create_symlink("liba.so", package_ / "libs.so");
    Names arguments = {"--arch", "9.0", (package_ / "libs.so").string(), file.string()};
    if (*in_place != '\0') arguments.emplace_back(in_place);
    const CommandResult result = run(arguments);
    EXPECT_TRUE(contains(result.output, "\nsum: device code 160 B -> 88 B"));
    EXPECT_TRUE(fs::is_symlink(package_ / "libs.so"));
    EXPECT_TRUE(fs::equivalent(file, package_ / "libb.so"));
    EXPECT_EQ(fs::hard_link_count(file), 2U);
    EXPECT_TRUE(contains(file_content(file), sliced(all, {"sm_90"})));
    EXPECT_EQ(snapshot(package_).size(), 3U);
    fs::remove_all(package_);
  }
}

TEST_F(SliceFiles, NamesElsewhereKeepTheWholeFile) {
  const fs::path file = library("libk.so", fat_binary({"sm_80", "sm_90"}));
  const std::string whole = file_content(file);
  fs::create_hard_link(file, folder_ / "cached.so");
  const std::string report = run({"--arch", "9.0", "--in-place"}).output;
  EXPECT_TRUE(contains(report, "\n1 file had other hard links, which still have all code\n"));
  EXPECT_TRUE(file_content(folder_ / "cached.so") == whole);
  EXPECT_FALSE(file_content(file) == whole);
}

TEST_F(SliceFiles, InterruptedItLeavesTheFile) {
  const fs::path file = library("libk.so", large());
  const auto before = snapshot(package_);
  const SlicedFile slice = read_slice(file, {*parse_wanted_arch("9.0")});
  {
    const InterruptGuard guard;
    ::raise(SIGTERM);
    EXPECT_THROW(replace_by_slice(file, slice), Interrupted);
  }
  EXPECT_TRUE(snapshot(package_) == before);
}

TEST_F(SliceFiles, AFullDiskLeavesTheFile) {
  library("libk.so", large());
  const auto before = snapshot(package_);
  const CommandResult result =
      run({"--arch", "9.0"}, {"sh", "-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(contains(result.output, "libk.so cannot be written"));
  EXPECT_TRUE(snapshot(package_) == before);
}

}  // namespace
}  // namespace torchpkg::test
