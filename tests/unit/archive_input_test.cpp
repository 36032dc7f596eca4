// SPDX-License-Identifier: BSD-3-Clause
// torchpkg archive: writing the file, and the messages about bad input.
#include <gtest/gtest.h>
#include <signal.h>

#include "archive/linked_objects.h"
#include "archive/object_symbols.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "link_folder.h"

namespace torchpkg::test {
namespace {

/// Entries of what lies in memory; `symbols` are defined.
ArEntry entry(const std::string& name, const std::string& content, const Names& symbols) {
  ArEntry made{name, {reinterpret_cast<const std::uint8_t*>(content.data()), content.size()}, {}};
  for (const std::string& symbol : symbols) {
    made.symbols.symbols.push_back({symbol});
  }
  return made;
}

TEST(Archive, TheIndexGrowsWithTheFile) {
  const LinkFolder folder;
  folder.function("one");
  folder.function("three_is_a_long_name");
  const std::string one = file_content(folder / "one.o");
  const std::string three = file_content(folder / "three_is_a_long_name.o");
  const Names first = {"one"};
  const Names second = {"three_is_a_long_name"};
  const std::vector<ArEntry> entries = {entry("one.o", one, first),
                                        entry("three_is_a_long_name.o", three, second)};
  const ArSummary narrow = write_ar(folder / "narrow.a", entries);
  const ArSummary wide = write_ar(folder / "wide.a", entries, 100);
  EXPECT_EQ(narrow.symbols, 2U);
  EXPECT_EQ(wide.bytes, fs::file_size(folder / "wide.a"));
  EXPECT_EQ(file_content(folder / "narrow.a").substr(8, 8), "/       ");
  EXPECT_EQ(file_content(folder / "wide.a").substr(8, 8), "/SYM64/ ");
  folder.object("main.o",
                "int one(); int three_is_a_long_name();\n"
                "int main() { return one() - three_is_a_long_name(); }");
  for (const std::string& linker : linkers()) {
    const std::string link = std::string(TORCHPKG_CXX) + " -fuse-ld=" + linker + " main.o ";
    (void)folder.shell(link + "wide.a -o program && ./program");
    (void)folder.shell(link + "narrow.a -o program && ./program");
  }
}

TEST(Archive, AnInterruptLeavesNothing) {
  const TemporaryFolder folder;
  const InterruptGuard guard;
  ::raise(SIGINT);
  const std::string content(3, 'x');
  EXPECT_THROW((void)write_ar(folder / "x.a", {entry("x.o", content, {})}), Interrupted);
  EXPECT_TRUE(snapshot(folder.path()).empty());
}

/// Runs it for `words`; it must end with 3, and write nothing.
std::string complaint(const LinkFolder& folder, const std::string& words) {
  fs::remove(folder / "x.a");
  const CommandResult result = folder.archive(words);
  EXPECT_EQ(result.exit_code, 3) << words << "\n" << result.output;
  for (const auto& file : fs::directory_iterator(folder.path())) {
    EXPECT_FALSE(file.path().filename().string().starts_with("x.a")) << words;
  }
  std::string output = result.output;
  // The folder's name is another one each time.
  const std::string name = folder.path().string() + "/";
  for (std::size_t at = output.find(name); at != std::string::npos; at = output.find(name)) {
    output.erase(at, name.size());
  }
  return output;
}

TEST(Archive, ALinkThatFailsSaysWhy) {
  const LinkFolder folder;
  folder.function("one");
  const std::string output = complaint(folder, "one.o two.o");
  EXPECT_TRUE(contains(output, "cannot find two.o"));
  EXPECT_FALSE(contains(output, "\none.o\n"));
  EXPECT_TRUE(
      output.ends_with("torchpkg: the link in link.txt fails with GNU ld\n"
                       "remedy: see the messages above; GNU ld has to be installed and to know all "
                       "of its options\n"))
      << output;
}

TEST(Archive, WhatCannotBeArchivedIsNamed) {
  const LinkFolder folder;
  folder.function("one");
  folder.object("lto.o", "int lto() { return 1; }", {"-flto", "-fno-fat-lto-objects"});
  (void)folder.shell(std::string(TORCHPKG_CXX) + " -shared -nostdlib one.o -o shared.o");
  folder.library("libthin.a", {"one.o"}, "rcsDT");
  EXPECT_EQ(
      complaint(folder, "lto.o"),
      "torchpkg: lto.o holds a compiler's intermediate code (-flto), which only that compiler "
      "can link\nremedy: build without -flto for a static library\n");
  EXPECT_EQ(complaint(folder, "shared.o"),
            "torchpkg: shared.o is not an object for linking, but of the type shared\n"
            "remedy: name the objects that it was linked from\n");
  EXPECT_EQ(complaint(folder, "one.o libthin.a"),
            "torchpkg: libthin.a is a thin static library\n"
            "remedy: make it with ar without the option T\n");
  EXPECT_EQ(complaint(folder, "-lm"),
            "torchpkg: the link command does not name any object\n"
            "remedy: give the command that links the shared library\n");
}

TEST(Archive, ACommandHasOneLink) {
  const LinkFolder folder;
  const std::string wrong =
      "torchpkg: link.txt is not the link of one shared library\n"
      "remedy: write what ninja -t commands -s <the shared library> prints into it\n";
  EXPECT_EQ(complaint(folder, "a.o && c++ -shared -o y.so b.o"), wrong);
  write_file(folder / "link.txt", ": && c++ -o x x.o && :");
  const CommandResult result =
      torchpkg({"archive", "--link-command", (folder / "link.txt").string(), "--directory",
                folder.path().string(), "--output", (folder / "x.a").string()});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_TRUE(result.output.ends_with(wrong.substr(wrong.find(" is not")))) << result.output;
}

/// The message about a trace; the command names what is in it.
std::string trace_error(const LinkFolder& folder, const std::string& text) {
  const LinkTrace trace{text, text, folder.path(), folder / "linked.so"};
  std::string what = error_of([&trace] { (void)linked_objects(trace, {}, 1); }).what();
  return what.substr(what.rfind('/') + 1);
}

TEST(Archive, ATraceThatDoesNotFitIsAnError) {
  const LinkFolder folder;
  folder.function("one");
  folder.function("two");
  folder.library("libone.a", {"one.o"}, "rcsD");
  (void)folder.shell("ar qcsD libsame.a one.o two.o one.o");
  (void)folder.shell(std::string(TORCHPKG_CXX) + " -shared -nostdlib one.o two.o -o linked.so");
  EXPECT_EQ(trace_error(folder, "three.o\n"), "three.o is missing");
  EXPECT_EQ(trace_error(folder, "(libone.a)two.o\n"),
            "libone.a does not have the member two.o that was linked");
  EXPECT_EQ(trace_error(folder, "(libsame.a)one.o\n"),
            "libsame.a: 1 of 2 members named one.o were linked, but the symbols of 2 fit");
}

TEST(Archive, NoDamageCrashesTheReader) {
  const LinkFolder folder;
  folder.function("one", {"two"});
  const std::string whole = file_content(folder / "one.o");
  const auto read = [](const std::string& text) {
    const Bytes bytes{reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
    try {
      for (const auto& [at, byte] : read_object_symbols(bytes, "one.o").hiding) {
        ASSERT_LT(at, text.size());
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
    }
  };
  for (std::size_t size = 0; size < whole.size(); size += 7) read(whole.substr(0, size));
  for (std::size_t at = 4; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    read(changed);
    changed[at] = static_cast<char>(0xff);
    read(changed);
  }
}

}  // namespace
}  // namespace torchpkg::test
