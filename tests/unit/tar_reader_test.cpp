// SPDX-License-Identifier: BSD-3-Clause
// The tars of conda packages: what writers write is read, and what readers take differently is not.
#include "conda/tar_reader.h"

#include <fmt/core.h>

#include "support.h"
#include "zstd_frame.h"

namespace torchpkg::test {
namespace {

const std::string kEnd(1024, '\0');
const std::string kGnu("ustar  \0", 8);

/// A header of a type, and what it has inside. `fields`: what stands where in it besides.
std::string header(char type, const std::string& content = {},
                   const std::map<std::size_t, std::string>& fields = {}) {
  std::string block(512, '\0');
  const auto put = [&block](std::size_t at, const std::string& text) {
    block.replace(at, text.size(), text);
  };
  put(0, "share/x");
  put(100, "0000644");
  put(124, fmt::format("{:011o}", content.size()));
  put(156, {type});
  put(257, std::string("ustar\0", 6) + "00");
  for (const auto& [at, text] : fields) put(at, text);
  put(148, std::string(8, ' '));
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  put(148, fmt::format("{:06o}", sum) + '\0');
  return block + content + std::string((512 - content.size() % 512) % 512, '\0');
}

std::string record(const std::string& member, const std::string& value) {
  const std::string rest = fmt::format(" {}={}\n", member, value);
  std::size_t size = rest.size();
  while (size != rest.size() + std::to_string(size).size()) ++size;
  return std::to_string(size) + rest;
}

/// Each entry as name, kind, mode, target and content.
std::vector<std::string> entries(const std::string& packed) {
  conda::TarReader tar({reinterpret_cast<const std::uint8_t*>(packed.data()), packed.size()}, "t");
  std::vector<std::string> found;
  while (const auto entry = tar.next()) {
    const std::vector<std::uint8_t> content = tar.content();
    EXPECT_EQ(content.size(), entry->size);
    found.push_back(fmt::format("{} {} {:o} {} {}", entry->name, static_cast<int>(entry->kind),
                                entry->mode, entry->target, as_text(content)));
  }
  return found;
}

void expect_bad(const std::string& packed, const std::string& said) {
  EXPECT_EQ(error_of([&] { (void)entries(packed); }).what(), "t: " + said);
}

using Words = std::vector<std::string>;

TEST(TarReader, ReadsWhatPythonWrites) {
  const TemporaryFolder folder;
  for (const std::string format : {"USTAR", "GNU", "PAX"}) {
    const fs::path file = folder / format;
    must_run({"python3", "-c", R"(
import io, sys, tarfile
LONG = {'GNU': [('\u00e4/' + 'n' * 200, tarfile.REGTYPE, '', b'long'),
                ('k', tarfile.SYMTYPE, 't' * 200, b''), ('b' * 200, tarfile.SYMTYPE, 't' * 200, b'')]}
LONG.update(PAX=LONG['GNU'], USTAR=[('p' * 100 + '/n', tarfile.REGTYPE, '', b'prefix')])
with tarfile.open(sys.argv[1], 'w', format=getattr(tarfile, sys.argv[2] + '_FORMAT')) as tar:
    for name, kind, target, text in (
        ('a/b', tarfile.REGTYPE, '', b'x' * 700), ('a', tarfile.DIRTYPE, '', b''),
        ('l', tarfile.SYMTYPE, 'a/b', b''), ('d', tarfile.BLKTYPE, '', b''),
        *LONG[sys.argv[2]],
    ):
        info = tarfile.TarInfo(name)
        info.type, info.linkname, info.size, info.mtime, info.uname = kind, target, len(text), 1.5, 'root'
        tar.addfile(info, io.BytesIO(text))
)",
              file.string(), format});
    const std::string t(200, 't');
    Words expected{"a/b 0 644  " + std::string(700, 'x'), "a/ 1 644  ", "l 2 644 a/b ",
                   "d 3 644  "};
    if (format == "USTAR") {
      expected.push_back(std::string(100, 'p') + "/n 0 644  prefix");
    } else {
      expected.push_back("\xc3\xa4/" + std::string(200, 'n') + " 0 644  long");
      expected.push_back("k 2 644 " + t + " ");
      expected.push_back(std::string(200, 'b') + " 2 644 " + t + " ");
    }
    EXPECT_EQ(entries(zstd_frame(file_content(file))), expected) << format;
  }
}

TEST(TarReader, Sizes) {
  const std::string content = "12345";
  const std::string rest = content + std::string(507, '\0') + kEnd;
  const Words expected{"share/x 0 644  12345"};
  EXPECT_EQ(entries(zstd_frame(header('0', content) + kEnd)), expected);
  const std::string base256 = std::string("\x80") + std::string(10, '\0') + "\x05";
  EXPECT_EQ(entries(zstd_frame(header('0', "", {{124, base256}, {257, kGnu}}) + rest)), expected);
  EXPECT_EQ(entries(zstd_frame(header('x', record("size", "5")) + header('0') + rest)), expected);
  expect_bad(zstd_frame(header('x', record("size", "-5")) + header('0') + rest),
             "'-5' in a pax header is not a size");
  expect_bad(zstd_frame(header('0', "", {{124, "00000000 05"}}) + rest),
             "'00000000 05\\x00' in a header is not a number");
  expect_bad(zstd_frame(header('2', content) + kEnd), "share/x has content, but is not a file");
  const std::string large = std::string("\x80") + std::string(3, '\0') + std::string(8, '\xff');
  EXPECT_THROW(entries(zstd_frame(header('0', "", {{124, large}}) + rest)), TooLarge);
}

TEST(TarReader, WhatReadersTakeDifferently) {
  const std::string file = header('0', "x");
  const std::string path = record("path", "other");
  const auto type = [](const char* shown) {
    return fmt::format("share/x has a header of the type '{}', which no conda package has there",
                       shown);
  };
  const auto member = [](const char* name) {
    return fmt::format("a pax header has {}, which is unknown or there twice", name);
  };
  const std::string damaged = "a pax header is damaged";
  const std::string none = "what should be a header is none of a tar";
  const std::string more = "share/x has more in its header than a conda package has there";
  const std::string map(24, '0');
  const std::vector<std::pair<std::string, std::string>> rows{
      {header('g', path) + file, type("g")},
      {header('S', "", {{257, kGnu}}) + file, type("S")},
      {header('\0') + file, type("\\x00")},
      {header('\x9b') + file, type("\\x9b")},
      {header('x', path) + header('x', path) + file, type("x")},
      {header('x', path) + header('L', "other") + file, type("L")},
      {header('K', "other") + header('x', path) + file, type("x")},
      {header('x', path), none},
      {header('x', path + path) + file, member("path")},
      {header('x', record("SCHILY.xattr.security.capability", "x")) + file,
       member("SCHILY.xattr.security.capability")},
      {header('x', record("GNU.sparse.map", "0,1")) + file, member("GNU.sparse.map")},
      {header('x', "7 a=\nb") + file, damaged},
      {header('x', "99 path=x\n") + file, damaged},
      {header('x', "0 path=x\n") + file, damaged},
      {header('x', "x path=x\n") + file, damaged},
      {header('x', std::string(70000, ' ')) + file,
       "68.4 KiB stand before an entry; the limit is 64.0 KiB"},
      {header('0', "x", {{257, kGnu}, {345, "14000000000"}}), more},
      {header('0', "x", {{257, kGnu}, {386, map}}), more},
      {header('0', "x", {{508, "tar"}}), more},
      {header('0', "x", {{257, std::string(8, '\0')}}), none},
      {file.substr(0, 1) + "?" + file.substr(2), none},
      {file + kEnd + file, "something comes after the end of the tar"},
      {file + std::string(512, '\0') + file, "something comes after the end of the tar"},
  };
  for (const auto& [tar, said] : rows) expect_bad(zstd_frame(tar + kEnd), said);
  const std::string good = zstd_frame(file + kEnd);
  EXPECT_EQ(entries(good), Words{"share/x 0 644  x"});
  EXPECT_EQ(entries(zstd_frame(file + kEnd + std::string(9216, '\0'))), entries(good));
  expect_bad(good + good, "it goes on after its Zstandard frame");
  expect_bad(good + "x", "it goes on after its Zstandard frame");
  expect_bad(good.substr(0, good.size() - 4), "its Zstandard frame is cut off");
  expect_bad("", "its Zstandard frame is cut off");
  expect_bad(file + kEnd, "Unknown frame descriptor");
  expect_bad(zstd_frame(file), "it ends without the zeros at the end of a tar");
  expect_bad(zstd_frame(file.substr(0, 512)), "it ends without the zeros at the end of a tar");
  EXPECT_THROW(entries(zstd_frame(file + std::string(std::size_t{80} << 20U, '\0'))), TooLarge);
}

}  // namespace
}  // namespace torchpkg::test
