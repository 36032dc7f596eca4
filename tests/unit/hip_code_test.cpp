// SPDX-License-Identifier: BSD-3-Clause
// Reading offload bundles, plain and compressed ones.
#include "rocm/hip_code.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "common/error.h"
#include "fat_binaries.h"
#include "rocm/offload_bundle.h"

namespace torchpkg::test {
namespace {

using Names = std::vector<std::string>;

std::string compressed(const std::string& plain, unsigned version, unsigned method) {
  std::string data(plain.size() + 1024, '\0');
  if (method == 0) {
    uLongf size = data.size();
    EXPECT_EQ(::compress(reinterpret_cast<Bytef*>(data.data()), &size,
                         reinterpret_cast<const Bytef*>(plain.data()), plain.size()),
              Z_OK);
    data.resize(size);
  } else {
    data.resize(::ZSTD_compress(data.data(), data.size(), plain.data(), plain.size(), 3));
  }
  const unsigned width = version == 3 ? 8 : 4;
  std::string head = "CCOB" + little_endian(version, 2) + little_endian(method, 2);
  const std::size_t header = version == 1 ? 20 : 16 + 2 * width;
  if (version > 1) head += little_endian(header + data.size(), width);
  return head + little_endian(plain.size(), width) + little_endian(0x1234, 8) + data;
}

Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

OffloadBundle read(const std::string& text) { return read_offload_bundle(bytes_of(text), 0); }

std::string fault(const std::string& text) {
  try {
    (void)read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(OffloadBundle, Plain) {
  const std::string text = offload_bundle({"gfx906", "gfx90a:sramecc+:xnack-"});
  const OffloadBundle found = read(text + "behind it");
  EXPECT_EQ(found.targets, (Names{"gfx906", "gfx90a:sramecc+:xnack-"}));
  EXPECT_EQ(found.size, text.size());
  EXPECT_FALSE(found.compressed);
  EXPECT_TRUE(read(offload_bundle({})).targets.empty());
}

TEST(OffloadBundle, Compressed) {
  // More than the table, so that it is uncompressed in part.
  const std::string plain = offload_bundle({"gfx1100", "gfx942"}) + std::string(300000, 'x');
  for (unsigned version = 1; version <= 3; ++version) {
    for (unsigned method = 0; method <= 1; ++method) {
      const std::string text = compressed(plain, version, method);
      const OffloadBundle found = read(text + "behind it");
      EXPECT_EQ(found.targets, (Names{"gfx1100", "gfx942"})) << version << method;
      EXPECT_EQ(found.size, text.size()) << version << method;
      EXPECT_TRUE(found.compressed);
    }
  }
}

TEST(OffloadBundle, Damaged) {
  const std::string plain = offload_bundle({"gfx90a"});
  EXPECT_EQ(fault("ELF"), "byte 0: no offload bundle begins here");
  for (const std::size_t size : {25U, 40U, 60U, 120U}) {
    EXPECT_EQ(fault(plain.substr(0, size)).substr(0, 7), "byte 0:") << size;
  }
  EXPECT_EQ(fault(plain.substr(0, 4100)),
            "byte 0: an entry of 8 bytes runs over the end of its offload bundle");
  std::string long_name = plain;
  long_name[48] = '\xff';  // the length of the host's name
  long_name[55] = '\xff';
  EXPECT_EQ(fault(long_name), "byte 0: the table of an offload bundle is cut off");
  const std::string packed = compressed(plain, 2, 1);
  EXPECT_EQ(fault(packed.substr(0, 6)),
            "byte 0: the header of a compressed offload bundle is cut off");
  EXPECT_EQ(fault(packed.substr(0, 20)),
            "byte 0: the header of a compressed offload bundle is cut off");
  EXPECT_EQ(fault(packed.substr(0, 30)), "byte 0: a compressed offload bundle of " +
                                             std::to_string(packed.size()) +
                                             " bytes runs over the end");
  EXPECT_EQ(fault("CCOB" + little_endian(9, 2) + little_endian(1, 2)),
            "byte 0: a compressed offload bundle of version 9 and method 1 is not known");
  for (const char* magic : {"CCOB", "xCCOB"}) {
    std::string broken = packed;
    broken.replace(24, 4, "none");
    if (magic[0] == 'x') broken = compressed("not a bundle", 1, 0);
    EXPECT_EQ(fault(broken), "byte 0: an offload bundle cannot be uncompressed");
  }
}

TEST(HipCode, BundlesOfALibrary) {
  const TemporaryFolder folder;
  const fs::path file = folder / "libk.so";
  const std::string padding(4096, '\0');
  const auto code_of = [&file](const std::string& content) {
    compile_shared(source_with_section(file, ".hip_fatbin", content), file, {});
    const MappedFile mapped(file);
    return read_hip_code(ElfImage(mapped.bytes(), "libk.so"));
  };
  const HipCode code = code_of(offload_bundle({"gfx90a", "gfx906"}) + padding +
                               offload_bundle({"gfx906", "gfx90a"}) + padding +
                               compressed(offload_bundle({"gfx906"}), 1, 1) + padding +
                               compressed(offload_bundle({"gfx906"}), 3, 0));
  EXPECT_EQ(code.problem, "");
  ASSERT_EQ(code.groups.size(), 2U);
  EXPECT_EQ(code.groups.at({"gfx906"}).count, 2U);
  EXPECT_EQ(code.groups.at({"gfx906", "gfx90a"}).first, "byte 0 of .hip_fatbin");
  EXPECT_TRUE(contains(code_of(offload_bundle({"gfx906"}) + "something else").problem,
                       "no offload bundle begins here"));
}

}  // namespace
}  // namespace torchpkg::test
