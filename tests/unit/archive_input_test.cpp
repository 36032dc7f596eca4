// SPDX-License-Identifier: BSD-3-Clause
// torchpkg archive: reading the command, writing the file, and what is said of bad input.
#include <gtest/gtest.h>
#include <signal.h>

#include "archive/ar_writer.h"
#include "archive/link_command.h"
#include "archive/shell_words.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "elf/ar_archive.h"
#include "link_folder.h"

namespace torchpkg::test {
namespace {

using Commands = std::vector<Names>;

TEST(Archive, WordsAreThoseOfAShell) {
  EXPECT_EQ(shell_commands(R"(: && c++ "a b.o" 'c'\''d' e\ f "\$x\"y\z" '' && :)", "f"),
            (Commands{{":"}, {"c++", "a b.o", "c'd", "e f", "$x\"y\\z", ""}, {":"}}));
  EXPECT_EQ(shell_commands("one\\\ntwo three\nfour;five | six & seven||eight", "f"),
            (Commands{{"onetwo", "three"}, {"four"}, {"five"}, {"six"}, {"seven"}, {"eight"}}));
  EXPECT_EQ(response_words("a.o \"b c.o\"\n'd;e.o'\t&", "f"),
            (Names{"a.o", "b c.o", "d;e.o", "&"}));
  EXPECT_STREQ(error_of([] { (void)shell_commands("ab 'c", "f.txt"); }).what(),
               "f.txt: byte 3: the quote is not closed");
  EXPECT_STREQ(error_of([] { (void)shell_commands("\"c", "f.txt"); }).what(),
               "f.txt: byte 0: the quote is not closed");
}

TEST(Archive, ArgumentsOfOptionsAreNoInputs) {
  const LinkCommand command = parse_link_command(
      ": && c++ -shared -o out.o -L lib.a -Wl,-soname,x.a -Wl,-rpath, a.o -u b.a -Xlinker "
      "-Map -Xlinker map.o -Wl,--version-script=v.a -lz.a -l:y.a c.so libd.so.1 -Wl,,e.o && :",
      "f", "/d");
  ASSERT_EQ(command.inputs.size(), 2U);
  EXPECT_EQ(command.inputs[0].path, "/d/a.o");
  EXPECT_EQ(command.inputs[1].path, "/d/e.o");
}

TEST(Archive, ResponseFilesAreRead) {
  const LinkFolder folder;
  folder.function("one");
  folder.function("two");
  write_file(folder / "sub" / "x.rsp", "one.o \"@deeper.rsp\"\n");
  write_file(folder / "deeper.rsp", "-Wl,--whole-archive,two.o");
  EXPECT_EQ(folder.archived("@sub/x.rsp"), (Names{"one.o", "two.o"}));
}

/// Entries of what lies in memory; `symbols` are defined.
ArEntry entry(const std::string& name, const std::string& content, const Names& symbols) {
  ArEntry made{name, {reinterpret_cast<const std::uint8_t*>(content.data()), content.size()}, {}};
  for (const std::string& symbol : symbols) {
    made.symbols.symbols.push_back({symbol, SymbolUse::kFunction});
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

TEST(Archive, WhatIsNotThereIsNamed) {
  const LinkFolder folder;
  folder.function("one");
  write_file(folder / "gone.o", "x");
  (void)folder.shell("ar rcT libthin.a gone.o && rm gone.o");
  EXPECT_EQ(complaint(folder, "one.o two.o"),
            "torchpkg: two.o is not there\nremedy: build it first\n");
  EXPECT_EQ(complaint(folder, "one.o libz.a"),
            "torchpkg: libz.a is not there\nremedy: build it first\n");
  EXPECT_EQ(complaint(folder, "one.o -Wl,--whole-archive libthin.a"),
            "torchpkg: libthin.a is a thin archive, and its member gone.o is not there\n"
            "remedy: build it first\n");
  EXPECT_EQ(complaint(folder, "one.o @x.rsp"),
            "torchpkg: link.txt names the response file x.rsp, which is not there\n"
            "remedy: Ninja removes response files: build the shared library with ninja -d "
            "keeprsp\n");
}

TEST(Archive, WhatIsNoObjectIsNamed) {
  const LinkFolder folder;
  folder.function("one");
  write_file(folder / "text.o", "hello");
  write_file(folder / "bitcode.o", "BC\xc0\xde.....");
  write_file(folder / "libscript.a", "GROUP ( a.a )");
  folder.object("lto.o", "int lto() { return 1; }", {"-flto", "-fno-fat-lto-objects"});
  (void)folder.shell(std::string(TORCHPKG_CXX) + " -shared -nostdlib one.o -o shared.o");
  (void)folder.shell("ar rcsD libtext.a text.o");
  EXPECT_EQ(complaint(folder, "text.o"),
            "torchpkg: text.o is no ELF object\n"
            "remedy: link the shared library without it, or build it as an ELF object\n");
  EXPECT_EQ(complaint(folder, "one.o -Wl,--whole-archive libtext.a"),
            "torchpkg: libtext.a(text.o) is no ELF object\n"
            "remedy: link the shared library without it, or build it as an ELF object\n");
  for (const std::string name : {"bitcode.o", "lto.o"}) {
    EXPECT_EQ(complaint(folder, name),
              "torchpkg: " + name +
                  " holds a compiler's intermediate code (-flto), which only that compiler can "
                  "link\nremedy: build without -flto for a static library\n");
  }
  EXPECT_EQ(complaint(folder, "shared.o"),
            "torchpkg: shared.o is no object for linking but of the type shared\n"
            "remedy: name the objects that it was linked from\n");
  EXPECT_EQ(complaint(folder, "one.o libscript.a"),
            "torchpkg: libscript.a is no static library (a linker script, perhaps)\n"
            "remedy: link the shared library with the static libraries themselves\n");
}

TEST(Archive, DamageIsNamed) {
  const LinkFolder folder;
  folder.function("one");
  const std::string object = file_content(folder / "one.o");
  std::string other = object;
  other[18] = static_cast<char>(0xb7);  // e_machine: AArch64
  write_file(folder / "other.o", other);
  write_file(folder / "short.o", object.substr(0, object.size() / 2));
  folder.library("libone.a", {"one.o"}, "rcsD");
  std::string library = file_content(folder / "libone.a");
  write_file(folder / "libcut.a", library.substr(0, library.size() - 100));
  library[8 + 60 + 7] = 9;  // the member's place in the index
  write_file(folder / "libindex.a", library);
  EXPECT_EQ(complaint(folder, "one.o other.o"),
            "torchpkg: other.o is for aarch64, 64 bits, but one.o is for x86_64, 64 bits\n"
            "remedy: build both for the same machine\n");
  EXPECT_EQ(complaint(folder, "short.o"),
            "torchpkg: short.o is a damaged ELF file: its section headers lie beyond the end of "
            "the file\nremedy: build it again\n");
  EXPECT_TRUE(complaint(folder, "one.o libcut.a")
                  .starts_with("torchpkg: libcut.a is a damaged static library: byte "));
  EXPECT_EQ(complaint(folder, "one.o libindex.a"),
            "torchpkg: libindex.a is a damaged static library: byte 68: the index says that one is "
            "defined at byte 9, where no member begins\nremedy: make it again\n");
}

TEST(Archive, NoDamageCrashesTheReader) {
  const LinkFolder folder;
  folder.function("one", {"two"});
  const std::string whole = file_content(folder / "one.o");
  const auto read = [](const std::string& text) {
    const Bytes bytes{reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
    try {
      for (const auto& [at, byte] : read_object_symbols(bytes, "one.o", true).hiding) {
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

TEST(Archive, ACommandHasOneLink) {
  const LinkFolder folder;
  const auto message = [&folder](const std::string& text) {
    return std::string(
        error_of([&] { (void)parse_link_command(text, "f.txt", folder.path()); }).what());
  };
  EXPECT_EQ(message(": && c++ -o x x.o && :"),
            "f.txt has no link of a shared library in it (no word -shared)");
  EXPECT_EQ(message("c++ -shared a.o\nc++ -shared b.o"),
            "f.txt has 2 links of shared libraries in it, which one is meant is not clear");
  EXPECT_EQ(complaint(folder, "-lm"),
            "torchpkg: the link command names no object that would be linked\n"
            "remedy: give the command that links the shared library\n");
  write_file(folder / "x.rsp", "@x.rsp");
  EXPECT_EQ(complaint(folder, "@x.rsp"),
            "torchpkg: x.rsp is a response file that names itself\nremedy: link without it\n");
}

}  // namespace
}  // namespace torchpkg::test
