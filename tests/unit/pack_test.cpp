// SPDX-License-Identifier: BSD-3-Clause
#include "zip/pack.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <random>

#include "common/file.h"
#include "support.h"
#include "zip/chunk_compressor.h"
#include "zip/format.h"
#include "zip/writer.h"

namespace torchpkg::test {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20U;

/// A tree with all that can be packed: big, small, empty, incompressible, linked, executable.
fs::path make_tree(const fs::path& parent) {
  const fs::path root = parent / "libtorch";
  write_file(root / "lib/big.so", sample_bytes(13 * kMiB + 17, 1));
  write_file(root / "lib/exact.so", sample_bytes(8 * kMiB, 2));
  write_file(root / "lib/zeros", std::string(9 * kMiB, '\0'));
  std::string noise;
  std::minstd_rand random(3);
  while (noise.size() < 9 * kMiB) noise += static_cast<char>(random() >> 20U);
  write_file(root / "lib/noise", noise);
  write_file(root / "empty", "");
  write_file(root / "one", "x");
  write_file(root / "share/caf\xc3\xa9.txt", "accents\n");
  fs::create_directories(root / "hollow");
  fs::create_symlink("big.so", root / "lib/big.so.1");
  fs::create_directory_symlink("lib", root / "lib64");
  write_file(root / "bin/tool", "#!/bin/sh\n");
  fs::permissions(root / "bin/tool", fs::perms::owner_all);
  return root;
}

zip::PackOptions options_for(const fs::path& root, const fs::path& output, unsigned jobs = 2) {
  zip::PackOptions options;
  options.root = root;
  options.output = output;
  options.jobs = jobs;
  return options;
}

TEST(Pack, OthersGetBackWhatWasPacked) {
  const TemporaryFolder folder;
  const fs::path root = make_tree(folder.path());
  zip::pack(options_for(root, folder / "out.zip"));
  must_run({"python3", "-c",
            "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None\n"
            "assert z.getinfo('libtorch/one').date_time == (1980, 1, 1, 0, 0, 0)\n"
            "assert z.getinfo('libtorch/one').compress_type == zipfile.ZIP_STORED",
            (folder / "out.zip").string()});
  fs::create_directories(folder / "unpacked");
  must_run({"sh", "-c", "cd \"$0\" && cmake -E tar xf ../out.zip", (folder / "unpacked").string()});
  EXPECT_EQ(snapshot(folder / "unpacked/libtorch"), snapshot(root));
}

TEST(Pack, WhatComesLast) {
  const TemporaryFolder folder;
  for (const char* name : {"x-1.dist-info/METADATA", "x-1.dist-info/RECORD", "x/a", "y"}) {
    write_file(folder / "site" / name, name);
  }
  const auto names = [&folder](const std::vector<std::string>& more) {
    std::vector<std::string> command = {"pack", "--root", (folder / "site").string(), "--output",
                                        (folder / "out.zip").string()};
    command.insert(command.end(), more.begin(), more.end());
    const CommandResult result = torchpkg(command);
    if (result.exit_code != 0) return std::to_string(result.exit_code) + " " + result.output;
    return run_command({"python3", "-c",
                        "import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist())",
                        (folder / "out.zip").string()})
        .output;
  };
  EXPECT_EQ(names({"--last", "y", "--last", "x"}),
            "site/ site/x-1.dist-info/ site/x-1.dist-info/METADATA site/x-1.dist-info/RECORD "
            "site/y site/x/ site/x/a\n");
  EXPECT_EQ(names({"--flat", "--last", "x-1.dist-info", "--last", "x-1.dist-info/RECORD"}),
            "x/a y x-1.dist-info/METADATA x-1.dist-info/RECORD\n");
  EXPECT_TRUE(begins_with(names({"--last", "z"}), "2 torchpkg: z is not in the folder"));
  fs::create_symlink("y", folder / "site/link");
  EXPECT_TRUE(contains(names({"--flat"}), "link is a symlink, and wheels have none"));
  fs::remove(folder / "site/link");
  fs::create_symlink("/etc/passwd", folder / "site/link");
  EXPECT_TRUE(contains(names({}), "link is a symlink to the absolute path /etc/passwd"));
}

TEST(Pack, BytesDependNeitherOnJobsNorOnTheFolderNorOnTheUmask) {
  const TemporaryFolder here;
  const TemporaryFolder there;
  zip::pack(options_for(make_tree(here.path()), here / "out.zip", 1));
  const mode_t former = ::umask(0077);
  const fs::path other = make_tree(there.path());
  ::umask(former);
  zip::pack(options_for(other, there / "out.zip", 5));
  EXPECT_TRUE(file_content(here / "out.zip") == file_content(there / "out.zip"));
}

TEST(Pack, TimesComeFromSourceDateEpoch) {
  const TemporaryFolder folder;
  write_file(folder / "p/a", "a");
  ::setenv("SOURCE_DATE_EPOCH", "1700000000", 1);  // 2023-11-14 22:13:20 UTC
  zip::pack(options_for(folder / "p", folder / "out.zip"));
  ::setenv("SOURCE_DATE_EPOCH", "yesterday", 1);
  const Error error = error_of([&] { zip::pack(options_for(folder / "p", folder / "x.zip")); });
  ::unsetenv("SOURCE_DATE_EPOCH");
  EXPECT_EQ(error.code(), ExitCode::kUsage);
  must_run({"python3", "-c",
            "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1])\n"
            "assert z.getinfo('p/a').date_time == (2023, 11, 14, 22, 13, 20)",
            (folder / "out.zip").string()});
}

TEST(Pack, AFileOfMoreThanFourGigabytes) {
  // One compressed piece put in again and again, since compressing so much takes long.
  constexpr std::size_t kPiece = 4 * kMiB;
  constexpr std::size_t kPieces = 1025;
  std::vector<std::uint8_t> piece(kPiece);
  std::minstd_rand random(5);
  for (std::size_t i = 0; i < kPiece / 50; ++i) {
    piece[i] = static_cast<std::uint8_t>(random() >> 20U);
  }
  zip::ChunkCompressor compressor(6, kPiece);
  const zip::CompressedChunk middle = compressor.compress(piece, false);
  const zip::CompressedChunk last = compressor.compress(piece, true);

  const TemporaryFolder folder;
  zip::Writer writer(folder / "out.zip", {});
  zip::SourceEntry huge;
  huge.name = "p/huge";
  huge.size = std::uint64_t{kPiece} * kPieces;
  writer.begin_entry(huge, zip::kDeflated);
  unsigned long crc = 0;
  for (std::size_t i = 0; i < kPieces; ++i) {
    writer.append_data(i + 1 < kPieces ? middle.data : last.data);
    crc = crc32_combine(crc, middle.crc, kPiece);
  }
  writer.end_entry(static_cast<std::uint32_t>(crc));
  zip::SourceEntry tail;
  tail.name = "p/tail";
  tail.size = 1;
  writer.begin_entry(tail, zip::kStored);
  writer.append_data(std::vector<std::uint8_t>{'x'});
  writer.end_entry(0x8cdc1683);
  writer.finish();

  const CommandResult python =
      run_command({"python3", "-c",
                   "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); i = z.infolist()[0]; "
                   "assert z.read('p/tail') == b'x'\n"
                   "print(i.file_size, len(z.open(i).read(1 << 24)))",
                   (folder / "out.zip").string()});
  const std::string size = std::to_string(huge.size);
  EXPECT_EQ(python.output, size + " 16777216\n");
}

TEST(Pack, MoreEntriesThanSixteenBitsCount) {
  constexpr std::size_t kEntries = 65600;
  const TemporaryFolder folder;
  zip::Writer writer(folder / "out.zip", {});
  for (std::size_t i = 0; i < kEntries; ++i) {
    zip::SourceEntry entry;
    entry.name = "p/" + std::to_string(i);
    writer.begin_entry(entry, zip::kStored);
    writer.end_entry(0);
  }
  writer.finish();
  const CommandResult python = run_command(
      {"python3", "-c", "import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).namelist()))",
       (folder / "out.zip").string()});
  EXPECT_EQ(python.output, std::to_string(kEntries) + "\n");
}

TEST(Pack, ALinkToTheFolderIsTheFolder) {
  const TemporaryFolder folder;
  write_file(folder / "real/a", "content");
  fs::create_directory_symlink("real", folder / "link");
  for (const char* root : {"real", "link"}) {
    const std::string output = (folder / (std::string(root) + ".zip")).string();
    ASSERT_EQ(torchpkg({"pack", "--root", (folder / root).string(), "--output", output}).exit_code,
              0);
  }
  EXPECT_EQ(file_content(folder / "link.zip"), file_content(folder / "real.zip"));
}

TEST(Pack, AnUnwritableOutputIsOneClearLine) {
  const TemporaryFolder folder;
  write_file(folder / "p/a", "a");
  // Also root cannot make a folder below a file.
  write_file(folder / "dist", "a file, not a folder");
  const CommandResult result = torchpkg(
      {"pack", "--root", (folder / "p").string(), "--output", (folder / "dist/out.zip").string()});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(begins_with(result.output, "torchpkg: the folder " + (folder / "dist").string()));
}

TEST(Pack, AFullDiskIsOneClearLineWithARemedy) {
  const TemporaryFolder folder;
  write_file(folder / "p/a", sample_bytes(3 * kMiB, 4));
  // A limit on the size of files stands in for a full disk: both make write() fail.
  const std::string script =
      "ulimit -f 1; trap '' XFSZ; exec \"$0\" pack --root \"$1\" --output \"$2\"";
  const CommandResult result =
      run_command({"bash", "-c", script, TORCHPKG_PROGRAM, (folder / "p").string(),
                   (folder / "dist/out.zip").string()});
  EXPECT_EQ(result.exit_code, 4) << result.output;
  EXPECT_TRUE(contains(result.output, "out.zip cannot be written"));
  EXPECT_TRUE(fs::is_empty(folder / "dist"));
  EXPECT_TRUE(contains(system_error("x", ENOSPC).remedy(), "free some disk space"));
}

TEST(Pack, WrongUse) {
  const TemporaryFolder folder;
  write_file(folder / "p/a", "a");
  const Error inside = error_of([&] { zip::pack(options_for(folder / "p", folder / "p/x.zip")); });
  EXPECT_EQ(inside.code(), ExitCode::kUsage);
  zip::PackOptions options = options_for(folder / "p", folder / "out.zip");
  options.level = 13;
  EXPECT_EQ(error_of([&] { zip::pack(options); }).code(), ExitCode::kUsage);
  EXPECT_EQ(torchpkg({"pack"}).exit_code, 2);
  EXPECT_EQ(torchpkg({"pack", "--root", (folder / "none").string(), "--output", "x.zip"}).exit_code,
            4);
}

TEST(Pack, SaysHowFarItIsInARun) {
  const TemporaryFolder folder;
  write_file(folder / "p/a", sample_bytes(9 << 20, 1));
  const auto said = [&](const std::string& option, const std::string& variable) {
    return run_command({"env", option, variable, TORCHPKG_PROGRAM, "pack", "--root",
                        (folder / "p").string(), "--output", (folder / "a.zip").string()})
        .output;
  };
  EXPECT_EQ(said("--unset", "TORCH_SUPERBUILD_RUN"), "");
  EXPECT_EQ(said("--", "TORCH_SUPERBUILD_RUN=x"),
            "tsb_progress: a.zip, 33 %\ntsb_progress: a.zip, 66 %\ntsb_progress: a.zip, 100 %\n");
}

}  // namespace
}  // namespace torchpkg::test
