// SPDX-License-Identifier: BSD-3-Clause
#include "common/text.h"

#include <gtest/gtest.h>

#include "common/parallel.h"
#include "common/partial_file.h"
#include "common/sha256.h"
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

TEST(Text, Lists) {
  EXPECT_EQ(split(";a;;b;", ';'), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(join_some({"a", "b", "c"}, 2), "a, b and 1 more");
}

TEST(Text, Values) {
  EXPECT_EQ(trimmed(" \ta b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(lower("Name-\u00c4"), "name-\u00c4");
}

TEST(Text, Sha256) {
  EXPECT_EQ(sha256_hex({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
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

TEST(Text, OnlyWholeUtf8Counts) {
  EXPECT_EQ(utf8_length("a", 0), 1U);
  EXPECT_EQ(utf8_length("\xc3\xa4", 0), 2U);
  EXPECT_EQ(utf8_length("x\xe2\x82\xac", 1), 3U);
  EXPECT_EQ(utf8_length("\xf0\x9f\x98\x80", 0), 4U);
  for (const char* text : {"\x80", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
                           "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"}) {
    EXPECT_EQ(utf8_length(text, 0), 0U) << text;
  }
  EXPECT_EQ(utf8_length("", 0), 0U);
  EXPECT_EQ(printable("\xc2\x9b"
                      "1m\xc2\xa0"),
            "\\xc2\\x9b"
            "1m\xc2\xa0");
  // Neither may other lines be feigned, nor another order: "gpj.exe" would end in .jpg.
  for (const char* moves :
       {"\u061c", "\u200e", "\u200f", "\u2028", "\u202a", "\u202e", "\u2066", "\u2069"}) {
    EXPECT_TRUE(begins_with(printable(moves), "\\x")) << moves;
  }
  for (const char* stays : {"\u061b", "\u200d", "\u2027", "\u202f", "\u2065", "\u206a"}) {
    EXPECT_EQ(printable(stays), stays);
  }
  EXPECT_EQ(printable("a\tb\x7f\xff\xc3\xa4"), "a\\x09b\\x7f\\xff\xc3\xa4");
}

}  // namespace
}  // namespace torchpkg::test
