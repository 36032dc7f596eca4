// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <functional>

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

TEST_F(ZipReader, EveryFaultHasItsMessage) {
  const std::size_t a = find("p/a");
  const std::size_t b = find("p/b");
  const std::size_t central_a = find("p/a", directory_) - zip::kCentralHeaderSize;
  const std::size_t central_b = find("p/b", directory_) - zip::kCentralHeaderSize;
  const std::size_t local_a = a - zip::kLocalHeaderSize;
  const std::vector<std::uint8_t> whole = bytes_;
  const std::vector<std::pair<std::function<void()>, std::string>> faults{
      {[&] { set<std::uint32_t>(end_ + 16, 0x00ffffff); }, "lies outside the file"},
      {[&] { set<std::uint16_t>(end_ + 10, 9); }, "9 entries do not fit"},
      {[&] { set<std::uint16_t>(end_ + 10, 2); }, "longer than its entries"},
      {[&] { bytes_[directory_] = 'X'; },
       "byte " + std::to_string(directory_) +
           ": there is no central directory entry where one should begin"},
      {[&] { set<std::uint16_t>(directory_ + 28, 0xffff); }, "runs over the directory's end"},
      {[&] { set<std::uint32_t>(directory_ + 42, 0x00ffffff); }, "outside the file"},
      {[&] { bytes_[local_a] = 'X'; },
       "byte " + std::to_string(local_a) + ": p/a should begin here, but there is no local header"},
      {[&] { bytes_[a + 2] = 'z'; }, "the local header of p/a names another file"},
      {[&] { set<std::uint32_t>(central_a + 20, 0x00ffffff); }, "runs over the file's end"},
      {[&] { bytes_[b + 3] = 'c'; }, "the content of p/b does not have the CRC"},
      // The first block's type.
      {[&] { bytes_[a + 3] ^= 0x06U; }, "the data of p/a cannot be decompressed"},
      {[&] { set<std::uint32_t>(central_a + 24, 0xfffffff0); }, "claims more bytes"},
      {[&] { set<std::uint16_t>(central_b + 10, 12); }, "unknown method 12"},
      {[&] { set<std::uint16_t>(central_b + 8, 1); }, "p/b is encrypted"},
  };
  for (const auto& [damage, said] : faults) {
    bytes_ = whole;
    damage();
    EXPECT_TRUE(contains(message(), said));
  }
}

TEST_F(ZipReader, DuplicateEntries) {
  bytes_[find("p/b", directory_) + 2] = 'a';
  ASSERT_EQ(problems().size(), 1U);
  EXPECT_TRUE(contains(problems()[0], "p/a is there twice"));
}

TEST_F(ZipReader, NamesThatLeaveTheTree) {
  const std::size_t name = find("p/b", directory_);
  bytes_[name] = '/';
  EXPECT_TRUE(contains(problems().at(0), "absolute name"));
  bytes_[name] = bytes_[name + 1] = '.';
  bytes_[name + 2] = '.';
  EXPECT_TRUE(problems().empty());  // "..." is a name like any other
  set<std::uint16_t>(name - zip::kCentralHeaderSize + 28, 2);
  set<std::uint16_t>(name - zip::kCentralHeaderSize + 30, 1);
  ASSERT_EQ(problems().size(), 1U);
  EXPECT_TRUE(contains(problems()[0], "has .. in its name"));
}

TEST_F(ZipReader, OverlappingEntries) {
  const std::size_t a = find("p/a", directory_) - zip::kCentralHeaderSize;
  const std::size_t b = find("p/b", directory_) - zip::kCentralHeaderSize;
  set<std::uint32_t>(b + 42, zip::get<std::uint32_t>(&bytes_[a + 42]));
  EXPECT_TRUE(contains(problems().at(0), "overlap"));
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
