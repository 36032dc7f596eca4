// SPDX-License-Identifier: BSD-3-Clause
#include "elf/ar_archive.h"

#include <gtest/gtest.h>

#include "common/error.h"
#include "support.h"

namespace torchpkg::test {
namespace {

Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// A header for a member of that name and size, as it stands in the file.
std::string header(const std::string& name, const std::string& size) {
  const auto field = [](std::string text, std::size_t width) {
    text.resize(width, ' ');
    return text;
  };
  return field(name, 16) + field("0", 12) + field("0", 6) + field("0", 6) + field("100644", 8) +
         field(size, 10) + "`\n";
}

std::string message_for(const std::string& text) {
  const Error error = error_of([&text] { (void)ArArchive(bytes_of(text), "x.a").index(); });
  EXPECT_EQ(error.code(), ExitCode::kBadInput);
  return error.what();
}

TEST(ArArchive, ReadsWhatArWrites) {
  const TemporaryFolder folder;
  const std::string long_name = "a_very_long_name_of_an_object_file.o";
  compile("int first() { return 1; }\nint second() { return 2; }\n", folder / long_name, {"-c"});
  write_file(folder / "odd", "odd");
  must_run({"ar", "rcs", (folder / "x.a").string(), (folder / long_name).string(),
            (folder / "odd").string()});
  const std::string text = file_content(folder / "x.a");
  const ArArchive archive(bytes_of(text), "x.a");
  EXPECT_FALSE(archive.thin());
  EXPECT_TRUE(archive.has_index());
  const std::vector<std::string_view> symbols = archive.index();
  EXPECT_EQ(symbols, (std::vector<std::string_view>{"_Z5firstv", "_Z6secondv"}));
  ASSERT_EQ(archive.members().size(), 2U);
  EXPECT_EQ(archive.members()[0].name, long_name);
  EXPECT_EQ(as_text(archive.members()[0].content), file_content(folder / long_name));
  EXPECT_EQ(archive.members()[1].name, "odd");
  EXPECT_EQ(as_text(archive.members()[1].content), "odd");
}

TEST(ArArchive, WhatIsWrongIsSaidWithItsByte) {
  const std::string magic = "!<arch>\n";
  EXPECT_EQ(message_for("hello"),
            "x.a is a damaged static library: byte 0: it does not begin as an archive does");
  EXPECT_EQ(message_for(magic + "abc"),
            "x.a is a damaged static library: byte 8: the header of a member is cut off");
  EXPECT_EQ(message_for(magic + header("a/", "100") + "abc"),
            "x.a is a damaged static library: byte 8: a member of 100 bytes runs over the file's "
            "end");
  EXPECT_EQ(message_for(magic + header("a/", "1x") + "abc"),
            "x.a is a damaged static library: byte 8: the size of a member is not a number");
  EXPECT_EQ(message_for(magic + header("/7", "0")),
            "x.a is a damaged static library: byte 8: the name /7 points outside the table of "
            "names");
  EXPECT_EQ(message_for(magic + std::string(60, 'x')),
            "x.a is a damaged static library: byte 8: there is no member's header where one "
            "should begin");
  EXPECT_EQ(message_for(magic + header("/", "4") + "\xff\xff\xff\xff"),
            "x.a is a damaged static library: byte 68: the index has no room for 4294967295 "
            "symbols");
  EXPECT_EQ(message_for(magic + header("/", "2") + "ab"),
            "x.a is a damaged static library: byte 68: the index is cut off");
}

TEST(ArArchive, NoDamageCrashesTheReader) {
  const TemporaryFolder folder;
  compile("int first() { return 1; }\n", folder / "a_name_of_more_than_16_characters.o", {"-c"});
  must_run({"ar", "rcs", (folder / "x.a").string(),
            (folder / "a_name_of_more_than_16_characters.o").string()});
  const std::string whole = file_content(folder / "x.a");
  const auto read = [](const std::string& text) {
    try {
      (void)ArArchive(bytes_of(text), "x.a").index();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
    }
  };
  for (std::size_t size = 8; size < whole.size(); size += 7) read(whole.substr(0, size));
  for (std::size_t at = 8; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    read(changed);
  }
}

}  // namespace
}  // namespace torchpkg::test
