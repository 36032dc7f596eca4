// SPDX-License-Identifier: BSD-3-Clause
#include "common/text.h"

#include <gtest/gtest.h>

#include "common/parallel.h"
#include "common/partial_file.h"
#include "support.h"

namespace torchpkg::test {
namespace {

TEST(Text, VersionsCompareAsNumbers) {
  EXPECT_LT(compare_versions("2.9", "2.34"), 0);
  EXPECT_GT(compare_versions("2.36.1", "2.36"), 0);
  EXPECT_EQ(compare_versions("3.4.30", "3.4.30"), 0);
  EXPECT_LT(compare_versions("", "1"), 0);
}

TEST(Text, Sizes) {
  EXPECT_EQ(human_size(512), "512 B");
  EXPECT_EQ(human_size(3 << 20), "3.0 MiB");
}

TEST(Text, Counts) {
  EXPECT_EQ(counted(1, "file") + counted(0, "file"), "1 file0 files");
  EXPECT_EQ(counted(2, "library", "libraries"), "2 libraries");
}

TEST(Text, Lists) {
  EXPECT_EQ(split(";a;;b;", ';'), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(join_some({"a", "b", "c"}, 2), "a, b and 1 more");
}

TEST(Text, Values) {
  EXPECT_EQ(trimmed(" \ta b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
}

TEST(Text, FilesAreReplacedOnlyWhenTheyDiffer) {
  const TemporaryFolder folder;
  const fs::path file = folder / "a/b";
  write_text_atomically(file, "one");
  const auto time = fs::last_write_time(file) - std::chrono::hours(1);
  fs::last_write_time(file, time);
  write_text_atomically(file, "one");
  EXPECT_EQ(fs::last_write_time(file), time);
  write_text_atomically(file, "two");
  EXPECT_EQ(file_content(file), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "a"), {}), 1);
}

TEST(Text, ParallelWorkIsDoneOnceAndErrorsComeBack) {
  std::vector<int> done(1000);
  for_each_parallel(done.size(), 4, [&](std::size_t i) { ++done[i]; });
  EXPECT_EQ(done, std::vector<int>(1000, 1));
  const Error error = error_of([] {
    for_each_parallel(100, 4, [](std::size_t i) {
      if (i == 50) throw Error(ExitCode::kBadInput, "no");
    });
  });
  EXPECT_STREQ(error.what(), "no");
}

TEST(Text, IsNoCommandForATerminal) {
  EXPECT_EQ(printable("a\tb\x1b[31m\x7f\u00e4"), "a\\x09b\\x1b[31m\\x7f\u00e4");
}

}  // namespace
}  // namespace torchpkg::test
