// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <functional>

#include "common/unpack_limits.h"
#include "support.h"
#include "zip/format.h"
#include "zip/pack.h"
#include "zip/reader.h"
#include "zip/writer.h"

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
    return zip::Reader(bytes_).layout_problems();
  }

  /// The only problem, when flags, CRC or sizes of p/a in its local header are not the directory's.
  [[nodiscard]] std::string mismatch() const {
    return "byte " + std::to_string(find("p/a") - zip::kLocalHeaderSize) +
           ": flags, method, CRC or sizes of p/a are others here than in the directory";
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
      {[&] { set<std::uint32_t>(central_a + 24, 0xfffffff0); },
       "p/a unpacks to 4.0 GiB; the limit for "},
      {[&] {
         set<std::uint16_t>(central_b + 10, 12);
         set<std::uint16_t>(b - zip::kLocalHeaderSize + 8, 12);
       },
       "unknown method 12"},
      {[&] {
         set<std::uint16_t>(central_b + 8, 1);
         set<std::uint16_t>(b - zip::kLocalHeaderSize + 6, 1);
       },
       "p/b is encrypted"},
  };
  for (const auto& [damage, said] : faults) {
    bytes_ = whole;
    damage();
    EXPECT_TRUE(contains(message(), said));
  }
}

TEST_F(ZipReader, OverlappingEntries) {
  const std::size_t a = find("p/a", directory_) - zip::kCentralHeaderSize;
  const std::size_t b = find("p/b", directory_) - zip::kCentralHeaderSize;
  set<std::uint32_t>(b + 42, zip::get<std::uint32_t>(&bytes_[a + 42]) + 1);
  ASSERT_EQ(problems().size(), 1U);
  EXPECT_TRUE(contains(problems()[0], "p/b begins in the data of another entry"));
}

TEST_F(ZipReader, AnEntryThatTheDirectoryDoesNotList) {
  // The last one; the directory is cut after the two others.
  const std::size_t b = find("p/b", directory_) - zip::kCentralHeaderSize;
  const std::size_t local_b = find("p/b") - zip::kLocalHeaderSize;
  bytes_.erase(bytes_.begin() + static_cast<std::ptrdiff_t>(b),
               bytes_.begin() + static_cast<std::ptrdiff_t>(end_));
  end_ = b;
  set<std::uint16_t>(end_ + 10, 2);
  set<std::uint32_t>(end_ + 12, static_cast<std::uint32_t>(b - directory_));
  ASSERT_EQ(problems().size(), 1U);
  EXPECT_EQ(problems()[0], "byte " + std::to_string(local_b) +
                               ": the central directory should begin here, not at " +
                               std::to_string(directory_));
}

TEST_F(ZipReader, ALocalHeaderThatDisagrees) {
  const std::size_t local = find("p/a") - zip::kLocalHeaderSize;
  const std::vector<std::uint8_t> whole = bytes_;
  for (const std::size_t at : {6, 8, 14, 18, 22}) {  // flags, method, CRC, sizes
    bytes_ = whole;
    bytes_[local + at] ^= 1U;
    EXPECT_EQ(problems(), std::vector<std::string>{mismatch()}) << at;
    EXPECT_EQ(message(), mismatch()) << at;
  }
}

/// As Python writes them to a pipe: zeros in the local header, the numbers behind the data.
TEST_F(ZipReader, DataDescriptors) {
  const TemporaryFolder folder;
  const auto write = [&](const char* forced) {
    const CommandResult result = run_command(
        {"python3", "-c",
         "import sys, zipfile\n"
         "class Pipe:\n"
         "    def __init__(self, path): self.file = open(path, 'wb')\n"
         "    def write(self, data): return self.file.write(data)\n"
         "    def flush(self): self.file.flush()\n"
         "with zipfile.ZipFile(Pipe(sys.argv[1]), 'w', zipfile.ZIP_DEFLATED) as z:\n"
         "    for name, content in (('p/a', b'a' * 5000), ('p/empty', b''), ('p/b', b'b')):\n"
         "        with z.open(name, 'w', force_zip64=sys.argv[2] == '1') as out: "
         "out.write(content)\n",
         (folder / "out.zip").string(), forced});
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const std::string text = file_content(folder / "out.zip");
    bytes_.assign(text.begin(), text.end());
  };
  for (const char* forced : {"0", "1"}) {
    write(forced);
    EXPECT_EQ(problems(), std::vector<std::string>{}) << forced;
    EXPECT_EQ(message(), "nothing was thrown") << forced;
    const std::size_t descriptor = find("PK\x07\x08");
    bytes_[descriptor + 4] ^= 1U;
    EXPECT_EQ(problems(), std::vector<std::string>{mismatch()}) << forced;
  }
}

TEST_F(ZipReader, DeflatedDataThatEndEarly) {
  // The same content and CRC, with one byte more behind the deflated data.
  const std::size_t central = find("p/a", directory_) - zip::kCentralHeaderSize;
  const std::uint32_t size = zip::get<std::uint32_t>(&bytes_[central + 20]);
  set<std::uint32_t>(central + 20, size + 1);
  set<std::uint32_t>(find("p/a") - zip::kLocalHeaderSize + 18, size + 1);
  EXPECT_TRUE(contains(message(), "the data of p/a cannot be decompressed to 5000 bytes"));
}

TEST_F(ZipReader, MoreEntriesThanAnyPackageHas) {
  const TemporaryFolder folder;
  zip::Writer writer(folder / "out.zip", {});
  for (std::size_t i = 0; i <= UnpackLimits::kMostEntries; ++i) {
    zip::SourceEntry entry;
    entry.name = std::to_string(i);
    writer.begin_entry(entry, zip::kStored);
    writer.end_entry(0);
  }
  writer.finish();
  const MappedFile archive(folder / "out.zip");
  const Error error = error_of([&] { const zip::Reader reader(archive.bytes()); });
  EXPECT_EQ(error.code(), ExitCode::kBadInput);
  EXPECT_STREQ(error.what(), "200001 entries or more are inside; the limit is 200000");
}

}  // namespace
}  // namespace torchpkg::test
