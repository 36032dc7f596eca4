// SPDX-License-Identifier: BSD-3-Clause
// torchpkg archive: what is taken, and what can be done with the result.
#include <gtest/gtest.h>

#include "common/text.h"
#include "link_folder.h"

namespace torchpkg::test {
namespace {

/// Two libraries that need each other.
void make_libraries(const LinkFolder& folder) {
  folder.function("start", {"a1", "b1"});
  folder.function("a1", {"b2"});
  folder.function("a2", {"b3"});
  folder.function("a3");
  folder.function("b1");
  folder.function("b2", {"a3"});
  folder.function("b3");
  folder.library("liba.a", {"a1.o", "a2.o", "a3.o"}, "rcsD");
  folder.library("libb.a", {"b1.o", "b2.o", "b3.o"}, "rcsD");
}

TEST(Archive, TakesWhatGnuLdTakes) {
  const LinkFolder folder;
  make_libraries(folder);
  fs::create_directories(folder / "a folder (1)");
  fs::rename(folder / "libb.a", folder / "a folder (1)/libb.a");
  const std::string libb = " 'a folder (1)/libb.a' ";
  EXPECT_EQ(folder.archived("start.o liba.a" + libb), (Names{"start.o", "a1.o", "b1.o", "b2.o"}));
  EXPECT_EQ(
      folder.archived("liba.a -Wl,--whole-archive" + libb + "-Wl,--no-whole-archive start.o '" +
                      (folder / "liba.a").string() + "'"),
      (Names{"start.o", "b1.o", "b2.o", "b3.o", "a1.o", "a3.o"}));
  EXPECT_EQ(folder.archived("start.o -Wl,--start-group" + libb + "liba.a -Wl,--end-group"),
            (Names{"start.o", "b1.o", "a1.o", "b2.o", "a3.o"}));
  EXPECT_TRUE(folder.archive("start.o liba.a")
                  .output.starts_with("archived x.a: 1 object, 1 member of static libraries, "));
  EXPECT_EQ(folder.shell("ls | grep -e libx.so -e x.a"), "x.a\n");
}

TEST(Archive, ALibraryBesideKeepsItsMembers) {
  const LinkFolder folder;
  make_libraries(folder);
  EXPECT_EQ(folder.archived("b1.o libb.a liba.a"), (Names{"b1.o"}));
  fs::rename(folder / "x.a", folder / "first.a");
  folder.library("second.a", {"a3.o"}, "rcsD");
  const Names beside = {"--beside", (folder / "first.a").string(), "--beside",
                        (folder / "second.a").string()};
  EXPECT_EQ(folder.archived("start.o liba.a libb.a liba.a", beside),
            (Names{"start.o", "a1.o", "b2.o"}));
}

TEST(Archive, AMemberWithoutDefinitionsOfItsOwnStays) {
  const LinkFolder folder;
  folder.function("start");
  // It runs code at the start; what it defines other objects may define as well.
  folder.object("runs.o",
                "struct S { static int twice() { static int value = 3; return value; } };\n"
                "static int at_start = S::twice(); int* local() __attribute__((weak));\n"
                "int* local() { return &at_start; }");
  folder.library("libruns.a", {"runs.o"}, "rcsD");
  const std::string words = "start.o -Wl,--whole-archive libruns.a -Wl,--no-whole-archive";
  EXPECT_EQ(folder.archived(words, {"--beside", (folder / "libruns.a").string()}),
            (Names{"start.o", "runs.o"}));
}

TEST(Archive, WhatTheCommandDoesNotNameIsLeftOut) {
  const LinkFolder folder;
  make_libraries(folder);
  EXPECT_EQ(folder.archived("start.o -L. -la libb.a"), (Names{"start.o", "b1.o", "b2.o"}));
}

TEST(Archive, OfMembersOfOneNameThoseThatWereLinkedInTheirOrder) {
  const LinkFolder folder;
  folder.function("start", {"three"});
  for (const std::string name : {"one", "two", "three"}) {
    folder.function(name, name == "three" ? Names{"one"} : Names{});
    fs::create_directories(folder / ("in_" + name));
    fs::rename(folder / (name + ".o"), folder / ("in_" + name) / "same.o");
  }
  (void)folder.shell("ar qcsD libsame.a in_one/same.o in_two/same.o in_three/same.o");
  EXPECT_EQ(folder.archived("start.o libsame.a"), (Names{"start.o", "same.o", "same.o"}));
  const std::string symbols = folder.shell("nm --defined-only x.a");
  EXPECT_LT(symbols.find(" T three"), symbols.find(" T one")) << symbols;
  EXPECT_FALSE(contains(symbols, " T two"));
}

TEST(Archive, EveryLinkerLinksTheResult) {
  const LinkFolder folder;
  // The same name twice in one library, and one that does not fit into a header.
  fs::create_directories(folder / "one");
  fs::create_directories(folder / "two");
  folder.object("one/same.o", "int one() { return 1; }");
  folder.object("two/same.o", "int two() { return 2; }");
  folder.object("a_name_of_more_than_fifteen.o",
                "int one(); int two();\n"
                "struct S { static int weak() { return 3; } };\n"
                "int entry() { return one() + two() + S::weak(); }");
  (void)folder.shell("ar qcsD libsame.a one/same.o two/same.o");
  folder.object("main.o", "int entry(); int main() { return entry() == 6 ? 0 : 1; }");
  EXPECT_EQ(folder.archived("a_name_of_more_than_fifteen.o libsame.a -Wl,--exclude-libs,ALL"),
            (Names{"a_name_of_more_than_fifteen.o", "same.o", "same.o"}));
  ASSERT_FALSE(linkers().empty());
  for (const std::string& linker : linkers()) {
    const std::string link = std::string(TORCHPKG_CXX) + " -fuse-ld=" + linker + " main.o ";
    (void)folder.shell(link + "x.a -o program && ./program");
    (void)folder.shell(link + "-Wl,--whole-archive x.a -Wl,--no-whole-archive -o whole && ./whole");
  }
}

TEST(Archive, TheIndexIsThatOfAr) {
  const LinkFolder folder;
  make_libraries(folder);
  folder.object("kinds.o",
                "int data = 1; int zero; static int local = 2; int* use() { return &local; }\n"
                "__attribute__((weak)) int weak() { return 1; }\n"
                "__attribute__((visibility(\"hidden\"))) int hidden() { return 1; }\n"
                "extern int missing; int ask() { return missing; }\n"
                "} template <class T> struct U { static int value; };\n"
                "template <class T> int U<T>::value = 4; int unique() { return U<int>::value; }\n"
                "extern \"C\" { asm(\".comm block2,4,4\");");
  EXPECT_EQ(folder.archived("kinds.o start.o").size(), 2U);
  fs::copy_file(folder / "x.a", folder / "ranlib.a");
  (void)folder.shell("ar sD ranlib.a && ranlib -D ranlib.a");
  const std::string index = folder.shell("nm --print-armap x.a");
  EXPECT_TRUE(contains(index, "block2 in kinds.o"));
  EXPECT_EQ(index, folder.shell("mv ranlib.a x.a && nm --print-armap x.a"));
}

TEST(Archive, NothingOfItIsExported) {
  const LinkFolder folder;
  // As headers have it: an inline function, and a variable that is one in a process
  // (STB_GNU_UNIQUE).
  const std::string header =
      "} inline int* of_header() { static int count = 1; return &count; }\n"
      "template <class T> struct U { static int value; }; template <class T> int U<T>::value = 4;\n"
      "extern \"C\" { ";
  folder.object("start.o", header +
                               "int inner(); int data = 5;\n"
                               "asm(\".comm block,4,4\");\n"
                               "int start() { return inner() + data + *of_header() + "
                               "U<int>::value; }");
  folder.object("inner.o",
                "__attribute__((weak)) int weak() { return 1; }\n"
                "int inner() { return weak(); }");
  folder.library("libinner.a", {"inner.o"}, "rcsD");
  folder.object("user.o", header +
                              "int start();\n"
                              "int user() { return start() + *of_header() + U<int>::value; }");
  (void)folder.archived("start.o libinner.a");
  ASSERT_FALSE(linkers().empty());
  for (const std::string& linker : linkers()) {
    (void)folder.shell(std::string(TORCHPKG_CXX) + " -fuse-ld=" + linker +
                       " -shared -nostdlib -o user.so user.o -Wl,--whole-archive x.a "
                       "-Wl,--no-whole-archive");
    const std::string names = folder.shell(
        "nm -D --defined-only user.so | grep -Ev ' (__bss_start|_edata|_end)$'");  // gold's own
    EXPECT_EQ(split(names, '\n').size(), 1U) << linker << ":\n" << names;
    EXPECT_TRUE(contains(names, " T user")) << linker;
  }
  // What the linker was given is as it was.
  EXPECT_FALSE(contains(folder.shell("readelf -sW inner.o"), "HIDDEN"));
}

TEST(Archive, EqualInputsGiveEqualBytes) {
  const LinkFolder folder;
  make_libraries(folder);
  const std::string line = "start.o -Wl,--whole-archive liba.a libb.a -Wl,--no-whole-archive";
  (void)folder.archived(line, {"--jobs", "1"});
  const std::string first = file_content(folder / "x.a");
  fs::remove(folder / "x.a");
  (void)folder.shell("touch -d 2001-01-01 *.o *.a");
  (void)folder.archived(line, {"--jobs", "7"});
  EXPECT_TRUE(file_content(folder / "x.a") == first);
}

}  // namespace
}  // namespace torchpkg::test
