// SPDX-License-Identifier: BSD-3-Clause
// What a tree may have in it, whoever brings it: an archive or a folder that is packed.
#include "common/tree.h"

#include <gtest/gtest.h>

#include "common/unpack_limits.h"
#include "support.h"

namespace torchpkg::test {
namespace {

using Kind = TreeEntry::Kind;
using Words = std::vector<std::string>;

TreeEntry link(const std::string& name, const std::string& target) {
  return {name, Kind::kSymlink, target};
}

/// What is wrong with a good tree, with more in it.
Words problems(const std::vector<TreeEntry>& more, TreeRules rules = {.one_top = true}) {
  std::vector<TreeEntry> tree{{"p/", Kind::kFolder},
                              {"p/a/b/c/file"},
                              {"p/hollow/", Kind::kFolder},
                              link("p/a/up", ".."),
                              link("p/a/b/again", "../../a/b/c/../../up/hollow"),
                              link("p/l", "a/b/c/file")};
  tree.insert(tree.end(), more.begin(), more.end());
  for (TreeEntry& entry : tree) {
    if (entry.mode == 0) entry.mode = entry.kind == Kind::kFolder ? 0755 : 0644;
  }
  return tree_problems(tree, rules);
}

TEST(Tree, AGoodOneHasNoProblems) { EXPECT_EQ(problems({}), Words{}); }

TEST(Tree, Names) {
  const std::string bad = " has a name that is not UTF-8 or not printable";
  const std::vector<std::pair<std::string, std::string>> names{
      {"", "an entry has no name"},
      {"/etc/x", "/etc/x has an absolute name"},
      {"p/../x", "p/../x has .. in its name"},
      {"..", ".. has .. in its name"},
      {"./p/x", "./p/x has . or nothing between two slashes of its name"},
      {"p//x", "p//x has . or nothing between two slashes of its name"},
      {"p/x/", "p/x/ has . or nothing between two slashes of its name"},
      {"p/back\\slash", "p/back\\slash has a backslash in its name"},
      {"p/two\nlines", "p/two\\x0alines" + bad},
      {"p/\x1b[31m", "p/\\x1b[31m" + bad},
      {"p/\x7f", "p/\\x7f" + bad},
      {"p/\xc2\x9b", "p/\\xc2\\x9b" + bad},
      {"p/\xe9", "p/\\xe9" + bad},
      {std::string("p/\0x", 4), "p/\\x00x" + bad},
      {"other/x", "other/x is not in the top folder"},
      {"beside", "beside is not in the top folder"},
      {"p/l", "p/l is there twice"},
      {"p/l/x", "p/l/x lies in p/l, which is a symlink"},
      {"p/a/b/c/file/d/x", "p/a/b/c/file/d lies in p/a/b/c/file, which is a file"},
  };
  for (const auto& [name, said] : names) {
    EXPECT_EQ(problems({{name}}), Words{said});
  }
  // A file that is a folder, which is an entry or not.
  EXPECT_EQ(problems({{"p/hollow"}}), Words{"p/hollow is there twice"});
  EXPECT_TRUE(contains(problems({{"p/a/b"}}).at(0), "lies in p/a/b, which is a file"));
  EXPECT_EQ(problems({{"other/", Kind::kFolder}}), Words{"other is not in the top folder"});
  EXPECT_TRUE(contains(problems({{"p/" + std::string(1023, 'x')}}).at(0),
                       "xxx... has a name of 1025 bytes; 1024 are the limit"));
  std::string deep = "p";
  for (int i = 0; i < 63; ++i) deep += "/d";
  EXPECT_EQ(problems({{deep}}), Words{});
  EXPECT_EQ(problems({{deep + "/d"}}), Words{deep + "/d lies deeper than 64 folders"});
}

TEST(Tree, WhatIsNoPlainFile) {
  EXPECT_EQ(problems({{"p/device", Kind::kOther}}),
            Words{"p/device is neither file, folder nor symlink"});
  for (const unsigned mode : {04755U, 02755U, 01644U}) {
    const Words found = problems({{"p/tool", Kind::kFile, "", 0, mode}});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(contains(found[0], ": setuid, setgid or sticky"));
  }
  for (const unsigned mode : {0775U, 0555U, 0444U}) {
    EXPECT_EQ(problems({{"p/tool", Kind::kFile, "", 0, mode}}), Words{});
  }
  const std::vector<std::pair<Kind, unsigned>> wrong{{Kind::kFile, 0600},   {Kind::kFile, 0733},
                                                     {Kind::kFile, 0666},   {Kind::kFolder, 0777},
                                                     {Kind::kFolder, 0744}, {Kind::kFolder, 0700}};
  for (const auto& [kind, mode] : wrong) {
    const Words found = problems({{"p/tool", kind, "", 0, mode}});
    ASSERT_EQ(found.size(), 1U) << mode;
    EXPECT_TRUE(contains(found[0], ": all can write it, or not all can read it"));
  }
}

TEST(Tree, Links) {
  const std::vector<std::pair<std::string, std::string>> targets{
      {"/etc/passwd", "an absolute path"},
      {"..", "outside the package"},
      {"a/../../x", "outside the package"},
      {"a/up/../x", "outside the package"},
      {"../p/a", "outside the package"},
      {"nothing", "which is missing"},
      {"a/nothing/../b", "through a folder that is missing"},
      {"a/b/c/file/../x", "through a file"},
      {"", "which is not a path"},
      {std::string(1025, 'x'), "which is not a path"},
      {"x", "in a circle, or through over 16 links"},
  };
  for (const auto& [target, said] : targets) {
    EXPECT_EQ(problems({link("p/x", target)}),
              Words{"p/x is a symlink to " + target + ", " + said});
  }
  EXPECT_EQ(problems({link("p/x", "two\nlines")}),
            Words{"p/x is a symlink to two\\x0alines, which is not a path"});
  for (const char* target : {".", "a", "a/..", "a/b/../b/", "hollow", "a/up/a/up/l", "./l"}) {
    EXPECT_EQ(problems({link("p/x", target)}), Words{}) << target;
  }
}

/// Each of them stays inside by its text alone.
TEST(Tree, LinksThatLeadOutThroughOthers) {
  EXPECT_EQ(problems({link("p/a/b/c/d", "../../../a"), link("p/x", "a/b/c/d/../../home")}),
            Words{"p/x is a symlink to a/b/c/d/../../home, outside the package"});
  EXPECT_EQ(problems({link("p/a/out", "../.."), link("p/x", "a/out/etc")}),
            (Words{"p/a/out is a symlink to ../.., outside the package",
                   "p/x is a symlink to a/out/etc, outside the package"}));
}

TEST(Tree, OtherPackagesMayHaveWhatALinkLeadsTo) {
  const TreeRules conda{.links_may_dangle = true};
  EXPECT_EQ(problems({link("lib/x", "liby.so")}, conda), Words{});
  EXPECT_EQ(problems({link("lib/x", "../share/other/y")}, conda), Words{});
  EXPECT_EQ(problems({link("lib/x", "../../y")}, conda),
            Words{"lib/x is a symlink to ../../y, outside the package"});
  // What `other` is, only that package knows.
  EXPECT_EQ(problems({link("lib/x", "../other/../y")}, conda),
            Words{"lib/x is a symlink to ../other/../y, through a folder that is missing"});
}

TEST(UnpackLimits, AreThoseOfWhatTheArchiveBacks) {
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30U;
  const auto said = [](auto count) { return std::string(error_of(count).what()); };
  EXPECT_EQ(said([] { UnpackLimits(1024).count("a", UnpackLimits::kFree, 10); }),
            "nothing was thrown");
  EXPECT_EQ(said([] { UnpackLimits(1024).count("a", kGiB, 10); }),
            "a unpacks to 1.0 GiB; the limit for 10 B is 64.0 MiB");
  // What an entry is said to be packed to is no more than the archive.
  EXPECT_EQ(said([] { UnpackLimits(1024).count("a", kGiB, 100 * kGiB); }),
            "a unpacks to 1.0 GiB; the limit for 1.0 KiB is 64.1 MiB");
  // A package of CUDA's largest: 10 GiB in 3.
  EXPECT_EQ(said([] {
              UnpackLimits limits(3 * kGiB);
              for (int i = 0; i < 25'000; ++i) limits.count("include/x.h", 4096, 1024);
              for (int i = 0; i < 4; ++i) limits.count("lib/x.so", 5 * kGiB / 2, kGiB / 2);
            }),
            "nothing was thrown");
  EXPECT_EQ(said([] { UnpackLimits(100 * kGiB).count("a", 33 * kGiB, 50 * kGiB); }),
            "a unpacks to 33.0 GiB; the limit for 50.0 GiB is 32.0 GiB");
  EXPECT_EQ(said([] {
              UnpackLimits limits(1024);
              for (int i = 0; i < 3; ++i) limits.count("a", 30 << 20U, 10);
            }),
            "all up to a unpacks to 90.0 MiB; the limit for 1.0 KiB is 64.1 MiB");
  EXPECT_EQ(said([] { UnpackLimits(1024).check_stream(kGiB); }),
            "the tar goes on and on; the limit for 1.0 KiB is 64.1 MiB");
}

}  // namespace
}  // namespace torchpkg::test
