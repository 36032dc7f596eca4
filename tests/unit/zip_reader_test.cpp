// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "support.h"
#include "zip/format.h"
#include "zip/pack.h"
#include "zip/reader.h"

namespace torchpkg::test {
namespace {

/// The bytes of an archive with `p/`, `p/a` (deflated) and `p/b` (stored), to be broken.
class ZipReader : public testing::Test {
 protected:
  void SetUp() override {
    const TemporaryFolder folder;
    write_file(folder / "p/a", std::string(5000, 'a'));
    write_file(folder / "p/b", "bb");
    zip::PackOptions options;
    options.root = folder / "p";
    options.output = folder / "out.zip";
    options.quiet = true;
    zip::pack(options);
    const std::string text = file_content(folder / "out.zip");
    bytes_.assign(text.begin(), text.end());
    end_ = bytes_.size() - zip::kEndRecordSize;
    directory_ = zip::get<std::uint32_t>(&bytes_[end_ + 16]);
  }

  [[nodiscard]] std::size_t find(std::string_view text, std::size_t from = 0) const {
    return as_text(bytes_).find(text, from);
  }

  template <typename Integer>
  void set(std::size_t at, Integer value) {
    for (std::size_t i = 0; i < sizeof(Integer); ++i) {
      bytes_[at + i] = static_cast<std::uint8_t>(std::uint64_t{value} >> (8 * i));
    }
  }

  /// The message of opening the archive and reading all of it.
  [[nodiscard]] std::string message() const {
    const Error error = error_of([this] {
      const zip::Reader reader(bytes_);
      for (const zip::Entry& entry : reader.entries()) (void)reader.content(entry);
    });
    EXPECT_TRUE(error.code() == ExitCode::kBadInput || error.code() == ExitCode::kGood);
    return error.what();
  }

  [[nodiscard]] std::vector<std::string> problems() const {
    return zip::name_problems(zip::Reader(bytes_).entries());
  }

  std::vector<std::uint8_t> bytes_;
  std::size_t end_ = 0;
  std::size_t directory_ = 0;
};

TEST_F(ZipReader, AGoodArchiveIsGood) {
  EXPECT_EQ(message(), "nothing was thrown");
  EXPECT_TRUE(problems().empty());
}

TEST_F(ZipReader, NoZipAtAll) {
  bytes_ = {'h', 'e', 'l', 'l', 'o'};
  EXPECT_EQ(message(), "byte 0: this is not a ZIP file");
  bytes_.clear();
  EXPECT_EQ(message(), "byte 0: this is not a ZIP file");
}

TEST_F(ZipReader, EveryTruncationIsNoticed) {
  const std::vector<std::uint8_t> whole = bytes_;
  for (std::size_t size = 4; size < whole.size(); ++size) {
    bytes_.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(message(), "byte " + std::to_string(size) +
                             ": the file ends before the end record of the archive: it is "
                             "truncated");
  }
}

TEST_F(ZipReader, NoChangedByteCrashesIt) {
  const std::vector<std::uint8_t> whole = bytes_;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned value : {0x00U, 0xffU, 0x7fU, whole[at] ^ 1U}) {
      bytes_ = whole;
      bytes_[at] = static_cast<std::uint8_t>(value);
      (void)message();
    }
  }
}

TEST_F(ZipReader, ADirectoryOutsideTheFile) {
  set<std::uint32_t>(end_ + 16, 0x00ffffff);
  EXPECT_NE(message().find("lies outside the file"), std::string::npos) << message();
}

TEST_F(ZipReader, MoreEntriesThanTheDirectoryHolds) {
  set<std::uint16_t>(end_ + 10, 9);
  EXPECT_NE(message().find("9 entries do not fit"), std::string::npos) << message();
}

TEST_F(ZipReader, FewerEntriesThanTheDirectoryHolds) {
  set<std::uint16_t>(end_ + 10, 2);
  EXPECT_NE(message().find("longer than its entries"), std::string::npos) << message();
}

TEST_F(ZipReader, ABrokenDirectoryEntry) {
  bytes_[directory_] = 'X';
  EXPECT_EQ(message(), "byte " + std::to_string(directory_) +
                           ": there is no central directory entry where one should begin");
}

TEST_F(ZipReader, ANameThatRunsOverTheDirectory) {
  set<std::uint16_t>(directory_ + 28, 0xffff);
  EXPECT_NE(message().find("runs over the directory's end"), std::string::npos) << message();
}

TEST_F(ZipReader, AnEntryOutsideTheFile) {
  set<std::uint32_t>(directory_ + 42, 0x00ffffff);
  EXPECT_NE(message().find("outside the file"), std::string::npos) << message();
}

TEST_F(ZipReader, NoLocalHeaderWhereOneShouldBe) {
  const std::size_t local = find("p/a") - zip::kLocalHeaderSize;
  bytes_[local] = 'X';
  EXPECT_EQ(message(), "byte " + std::to_string(local) +
                           ": p/a should begin here, but there is no local header");
}

TEST_F(ZipReader, ALocalHeaderOfAnotherName) {
  bytes_[find("p/a") + 2] = 'z';
  EXPECT_NE(message().find("the local header of p/a names another file"), std::string::npos);
}

TEST_F(ZipReader, DataThatRunOverTheEnd) {
  set<std::uint32_t>(find("p/a", directory_) - zip::kCentralHeaderSize + 20, 0x00ffffff);
  EXPECT_NE(message().find("runs over the file's end"), std::string::npos) << message();
}

TEST_F(ZipReader, AWrongCrc) {
  bytes_[find("p/b") + 3] = 'c';
  EXPECT_NE(message().find("the content of p/b does not have the CRC"), std::string::npos);
}

TEST_F(ZipReader, DamagedData) {
  bytes_[find("p/a") + 3] ^= 0x06U;  // the first block's type
  EXPECT_NE(message().find("the data of p/a cannot be decompressed"), std::string::npos);
}

TEST_F(ZipReader, ASizeThatNoDataCouldHold) {
  set<std::uint32_t>(find("p/a", directory_) - zip::kCentralHeaderSize + 24, 0xfffffff0);
  EXPECT_NE(message().find("claims more bytes"), std::string::npos) << message();
}

TEST_F(ZipReader, UnknownMethodAndEncryption) {
  const std::size_t central = find("p/b", directory_) - zip::kCentralHeaderSize;
  set<std::uint16_t>(central + 10, 12);
  EXPECT_NE(message().find("unknown method 12"), std::string::npos);
  set<std::uint16_t>(central + 8, 1);
  EXPECT_NE(message().find("p/b is encrypted"), std::string::npos);
}

TEST_F(ZipReader, DuplicateEntries) {
  bytes_[find("p/b", directory_) + 2] = 'a';
  ASSERT_EQ(problems().size(), 1U);
  EXPECT_NE(problems()[0].find("p/a is there twice"), std::string::npos);
}

TEST_F(ZipReader, NamesThatLeaveTheTree) {
  const std::size_t name = find("p/b", directory_);
  bytes_[name] = '/';
  EXPECT_NE(problems().at(0).find("absolute name"), std::string::npos);
  bytes_[name] = bytes_[name + 1] = '.';
  bytes_[name + 2] = '.';
  EXPECT_TRUE(problems().empty());  // "..." is a name like any other
  set<std::uint16_t>(name - zip::kCentralHeaderSize + 28, 2);
  set<std::uint16_t>(name - zip::kCentralHeaderSize + 30, 1);
  ASSERT_EQ(problems().size(), 1U);
  EXPECT_NE(problems()[0].find("has .. in its name"), std::string::npos);
}

TEST_F(ZipReader, OverlappingEntries) {
  const std::size_t a = find("p/a", directory_) - zip::kCentralHeaderSize;
  const std::size_t b = find("p/b", directory_) - zip::kCentralHeaderSize;
  set<std::uint32_t>(b + 42, zip::get<std::uint32_t>(&bytes_[a + 42]));
  EXPECT_NE(problems().at(0).find("overlap"), std::string::npos);
}

TEST_F(ZipReader, AnOverlapIsSeenWhateverTheSize) {
  zip::Entry a;
  a.name = "p/a";
  a.compressed = ~std::uint64_t{0} - 29;
  zip::Entry b;
  b.name = "p/b";
  b.header_at = 40;
  ASSERT_EQ(zip::name_problems({a, b}).size(), 1U);
  EXPECT_EQ(zip::name_problems({a, b})[0], "byte 40: the data of p/a and p/b overlap");
}

}  // namespace
}  // namespace torchpkg::test
