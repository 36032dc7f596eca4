// SPDX-License-Identifier: BSD-3-Clause
// torchpkg archive: what is taken, and what can be done with the result.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/file.h"
#include "common/text.h"
#include "elf/ar_archive.h"
#include "link_folder.h"

namespace torchpkg::test {
namespace {

bool has_linker(const std::string& name) {
  return std::find(linkers().begin(), linkers().end(), name) != linkers().end();
}

/// Two libraries that need each other, and one of what only some linkers would take.
void make_libraries(const LinkFolder& folder) {
  folder.object("start.o",
                "int a1(); int b1(); int maybe() __attribute__((weak));\n"
                "asm(\".comm block,4,4\"); asm(\".comm code,4,4\"); asm(\".comm plain,4,4\");\n"
                "int start() { return a1() + b1() + (maybe ? maybe() : 0); }");
  folder.function("a1", {"b2"});
  folder.function("a2", {"b3"});
  folder.function("a3");
  folder.function("b1");
  folder.function("b2", {"a3"});
  folder.function("b3");
  folder.function("maybe");
  folder.object("block.o", "int block = 3;");
  folder.object("code.o", "int code() { return 4; }");
  folder.object("plain.o", "asm(\".comm plain,8,8\");");
  folder.library("liba.a", {"a1.o", "a2.o", "a3.o"}, "rcsD");
  folder.library("libb.a", {"b1.o", "b2.o", "b3.o"}, "rcsD");
  folder.library("libodd.a", {"maybe.o", "block.o", "code.o", "plain.o"}, "rcsD");
}

TEST(Archive, TakesWhatGnuLdTakes) {
  if (!has_linker("bfd")) GTEST_SKIP() << "there is no GNU ld";
  const LinkFolder folder;
  make_libraries(folder);
  const Names lines = {
      "start.o liba.a libb.a",
      "start.o libb.a liba.a",
      "start.o libb.a liba.a libb.a liba.a",
      "liba.a start.o libb.a",
      "start.o -Wl,--start-group libb.a liba.a -Wl,--end-group",
      "-Wl,--start-group libb.a liba.a start.o -Wl,--end-group b3.o",
      "start.o '-Wl,-(' liba.a libb.a '-Wl,-)'",
      "start.o -Wl,--whole-archive liba.a -Wl,--no-whole-archive libb.a",
      "-Wl,--whole-archive,\"" + (folder / "liba.a").string() +
          "\" -Wl,--no-whole-archive start.o libb.a liba.a",
      "-Wl,--push-state,--whole-archive libb.a -Wl,--pop-state liba.a start.o liba.a",
      "-Xlinker --whole-archive -Xlinker libb.a -Xlinker --no-whole-archive start.o",
      "start.o libodd.a",
      "start.o -Wl,-rpath,a.o -Wl,--whole-archive libodd.a -Wl,--no-whole-archive -z now liba.a",
      "maybe.o start.o libodd.a",
      "block.o start.o libodd.a",
  };
  for (const std::string& line : lines) {
    EXPECT_EQ(folder.archived(line), folder.linked(line)) << line;
  }
}

TEST(Archive, NothingIsTakenTwice) {
  const LinkFolder folder;
  make_libraries(folder);
  EXPECT_EQ(folder.archived("b3.o start.o ./b3.o liba.a -Wl,--whole-archive libb.a ./libb.a "
                            "-Wl,--no-whole-archive libb.a '" +
                            (folder / "libb.a").string() + "'"),
            (Names{"b3.o", "start.o", "a1.o", "b1.o", "b2.o", "b3.o"}));
}

TEST(Archive, ALibraryBesideCountsAsLinked) {
  const LinkFolder folder;
  make_libraries(folder);
  EXPECT_EQ(folder.archived("b1.o libb.a liba.a"), (Names{"b1.o"}));
  fs::rename(folder / "x.a", folder / "first.a");
  folder.library("second.a", {"a3.o"}, "rcSD");
  const Names beside = {"--beside", (folder / "first.a").string(), "--beside",
                        (folder / "second.a").string()};
  EXPECT_EQ(folder.archived("start.o liba.a libb.a liba.a", beside),
            (Names{"start.o", "a1.o", "b2.o"}));
}

TEST(Archive, ThinLibrariesAndThoseWithoutIndexAreRead) {
  const LinkFolder folder;
  make_libraries(folder);
  const Names wanted = folder.archived("start.o liba.a libb.a liba.a");
  fs::create_directories(folder / "sub");
  (void)folder.shell("ar rcsDT sub/libthin.a a1.o a2.o a3.o");
  folder.library("libbare.a", {"b1.o", "b2.o", "b3.o"}, "rcSD");
  EXPECT_EQ(folder.archived("start.o sub/libthin.a libbare.a sub/libthin.a"), wanted);
  EXPECT_EQ(wanted, (Names{"start.o", "a1.o", "b1.o", "b2.o", "a3.o"}));
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
  EXPECT_EQ(folder.archived("kinds.o start.o libodd.a").size(), 3U);
  fs::copy_file(folder / "x.a", folder / "ranlib.a");
  (void)folder.shell("ar sD ranlib.a && ranlib -D ranlib.a");
  const MappedFile ours(folder / "x.a");
  const MappedFile theirs(folder / "ranlib.a");
  const auto entries = ArArchive(ours.bytes(), "x.a").index_entries();
  const auto wanted = ArArchive(theirs.bytes(), "ranlib.a").index_entries();
  ASSERT_EQ(entries.size(), wanted.size());
  EXPECT_GE(entries.size(), 12U);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].symbol, wanted[i].symbol);
    EXPECT_EQ(entries[i].member_at, wanted[i].member_at);
  }
}

TEST(Archive, ExcludedLibrariesAreNotExported) {
  const LinkFolder folder;
  folder.object("start.o", "int inner(); int other(); int start() { return inner() + other(); }");
  folder.object("inner.o",
                "int inner_data = 5; __attribute__((weak)) int inner_weak() { return 1; }\n"
                "asm(\".comm inner_block,4,4\");\n"
                "int inner() { return inner_data + inner_weak(); }");
  folder.function("other");
  folder.library("libinner.a", {"inner.o"}, "rcsD");
  folder.library("libother.a", {"other.o"}, "rcsD");
  const Names all = {"inner", "inner_block", "inner_data", "inner_weak", "other", "start"};
  const auto exported = [&folder](const std::string& words) {
    (void)folder.archived(words);
    (void)folder.shell(
        std::string(TORCHPKG_CXX) +
        " -shared -nostdlib -o user.so -Wl,--whole-archive x.a -Wl,--no-whole-archive");
    Names names;
    for (const std::string& line : split(folder.shell("nm -D --defined-only user.so"), '\n')) {
      names.push_back(line.substr(line.rfind(' ') + 1));
    }
    return names;
  };
  const Names open = {"other", "start"};
  EXPECT_EQ(exported("start.o libinner.a libother.a"), all);
  EXPECT_EQ(exported("-Wl,--exclude-libs,libinner.a start.o libinner.a libother.a"), open);
  EXPECT_EQ(exported("start.o libinner.a libother.a -Wl,--exclude-libs=no:libinner"), open);
  EXPECT_EQ(exported("start.o libother.a -Wl,--whole-archive libinner.a -Wl,--exclude-libs,ALL"),
            Names{"start"});
  EXPECT_EQ(exported("start.o libother.a libinner.a -Xlinker --exclude-libs=liby.a,libinner.a"),
            open);
  // What the linker was given is as it was.
  EXPECT_NE(folder.shell("readelf -sW inner.o").find("DEFAULT"), std::string::npos);
  EXPECT_EQ(folder.shell("readelf -sW inner.o").find("HIDDEN"), std::string::npos);
}

TEST(Archive, EqualInputsGiveEqualBytes) {
  const LinkFolder folder;
  make_libraries(folder);
  const std::string line = "start.o -Wl,--whole-archive liba.a libb.a libodd.a";
  (void)folder.archived(line, {"--jobs", "1"});
  const std::string first = file_content(folder / "x.a");
  fs::remove(folder / "x.a");
  (void)folder.shell("touch -d 2001-01-01 *.o *.a");
  (void)folder.archived(line, {"--jobs", "7"});
  EXPECT_TRUE(file_content(folder / "x.a") == first);
}

TEST(Archive, TheReportTellsWhatWasTaken) {
  const LinkFolder folder;
  make_libraries(folder);
  const CommandResult result =
      folder.archive("start.o liba.a libb.a liba.a libodd.a -Wl,--exclude-libs,libb.a",
                     {"--report", (folder / "r.json").string()});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(
      result.output.starts_with("archived x.a: 1 objects, 5 members of 3 static libraries, "))
      << result.output;
  const auto report = nlohmann::json::parse(file_content(folder / "r.json"));
  const auto wanted = nlohmann::json::parse(R"([
    {"name": "liba.a", "members": 2, "of": 3, "hidden": false},
    {"name": "libb.a", "members": 2, "of": 3, "hidden": true},
    {"name": "libodd.a", "members": 1, "of": 4, "hidden": false}])");
  EXPECT_EQ(report["objects"], 1);
  EXPECT_EQ(report["archives"], wanted);
  EXPECT_EQ(report["bytes"], fs::file_size(folder / "x.a"));
  EXPECT_EQ(report["symbols"], 9);
}

}  // namespace
}  // namespace torchpkg::test
