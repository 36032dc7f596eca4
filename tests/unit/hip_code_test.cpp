// SPDX-License-Identifier: BSD-3-Clause
// Reading offload bundles, plain and compressed ones, and what a package for ROCm must have of
// them.
#include "rocm/hip_code.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "check_fixture.h"
#include "common/error.h"
#include "fat_binaries.h"
#include "package/manifest.h"
#include "rocm/offload_bundle.h"
#include "sample_package.h"

namespace torchpkg::test {
namespace {

std::string number(std::uint64_t value, unsigned size) {
  std::string bytes;
  for (unsigned i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xffU);
  return bytes;
}

/// A bundle as clang writes it: the host's entry, which is empty, and one for each of these GPUs.
std::string bundle(const Names& gpus) {
  Names names = {"host-x86_64-unknown-linux-gnu-"};
  for (const std::string& gpu : gpus) names.push_back("hipv4-amdgcn-amd-amdhsa--" + gpu);
  std::string table = "__CLANG_OFFLOAD_BUNDLE__" + number(names.size(), 8);
  constexpr std::uint64_t kCode = 4096;
  for (std::size_t i = 0; i < names.size(); ++i) {
    table += number(kCode + 8 * i, 8) + number(i == 0 ? 0 : 8, 8) + number(names[i].size(), 8);
    table += names[i];
  }
  table.resize(kCode + 8 * names.size(), 'c');
  return table;
}

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
  std::string head = "CCOB" + number(version, 2) + number(method, 2);
  const std::size_t header = version == 1 ? 20 : 16 + 2 * width;
  if (version > 1) head += number(header + data.size(), width);
  return head + number(plain.size(), width) + number(0x1234, 8) + data;
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

void add_hip_library(const fs::path& file, const std::string& content) {
  compile_shared(source_with_section(file, ".hip_fatbin", content), file, {});
  fs::remove(file.string() + ".bin");
}

TEST(OffloadBundle, Plain) {
  const std::string text = bundle({"gfx906", "gfx90a:sramecc+:xnack-"});
  const OffloadBundle found = read(text + "behind it");
  EXPECT_EQ(found.targets, (Names{"gfx906", "gfx90a:sramecc+:xnack-"}));
  EXPECT_EQ(found.size, text.size());
  EXPECT_FALSE(found.compressed);
  EXPECT_TRUE(read(bundle({})).targets.empty());
}

TEST(OffloadBundle, Compressed) {
  // More than the table, so that it is uncompressed in part.
  const std::string plain = bundle({"gfx1100", "gfx942"}) + std::string(300000, 'x');
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
  const std::string plain = bundle({"gfx90a"});
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
  EXPECT_EQ(fault("CCOB" + number(9, 2) + number(1, 2)),
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
  add_hip_library(file, bundle({"gfx90a", "gfx906"}) + padding + bundle({"gfx906", "gfx90a"}) +
                            padding + compressed(bundle({"gfx906"}), 1, 1) + padding +
                            compressed(bundle({"gfx906"}), 3, 0));
  const MappedFile mapped(file);
  const HipFacts facts = read_hip_facts("lib/libk.so", mapped.bytes());
  EXPECT_EQ(facts.problem, "");
  ASSERT_EQ(facts.groups.size(), 2U);
  EXPECT_EQ(facts.groups.at({"gfx906"}).count, 2U);
  EXPECT_EQ(facts.groups.at({"gfx906", "gfx90a"}).count, 2U);
  EXPECT_EQ(facts.groups.at({"gfx906", "gfx90a"}).first, "byte 0 of .hip_fatbin");

  add_hip_library(file, bundle({"gfx906"}) + "something else");
  const MappedFile wrong(file);
  EXPECT_NE(read_hip_facts("libk.so", wrong.bytes()).problem.find("no offload bundle begins here"),
            std::string::npos);
}

/// A package for ROCm 6.2 and two GPUs, made of the sample package.
class CheckRocm : public CheckTest {
 protected:
  void SetUp() override {
    static const TemporaryFolder kBuilt;
    static const fs::path kGood = make_sample_package(kBuilt.path());
    use(kGood);
    write_file(root() / "build-version", "2.6.0+rocm6.2\n");
    add(bundle({"gfx906", "gfx90a"}) + bundle({"gfx90a", "gfx906"}));
    change({set("/version", "2.6.0+rocm6.2"), set("/backend", "rocm6.2"),
            set("/backend_kind", "rocm"),
            set("/rocm", {{"version", "6.2"}, {"archs", {"gfx90a", "gfx906"}}})});
  }
  void add(const std::string& bundles, const std::string& name = "libtorch_hip.so") const {
    compile_shared(source_with_section(root() / "lib" / name, ".hip_fatbin", bundles),
                   root() / "lib" / name, {"-Wl,--disable-new-dtags,-rpath,$ORIGIN"});
    fs::remove((root() / "lib" / name).string() + ".bin");
  }
};

TEST_F(CheckRocm, TheArchitecturesOfThePreset) {
  const Names rows = failed(root());
  EXPECT_EQ(verdict("hip-architectures"), "pass") << first_detail("hip-architectures");
  EXPECT_EQ(found("hip-architectures"), "gfx906 gfx90a in 1 libraries");
  EXPECT_EQ(found("gpu-architectures"), "the backend is rocm6.2");

  add(bundle({"gfx906", "gfx90a"}) + bundle({"gfx90a", "gfx1100"}));
  (void)failed(root());
  EXPECT_EQ(verdict("hip-architectures"), "fail");
  EXPECT_EQ(
      first_detail("hip-architectures")
          .find(
              "lib/libtorch_hip.so: 1 offload bundles lack gfx906 and have gfx1100, which was not "
              "asked for (the first: byte 4120 of .hip_fatbin)"),
      0U)
      << first_detail("hip-architectures");

  fs::remove(root() / "lib/libtorch_hip.so");
  (void)failed(root());
  EXPECT_EQ(first_detail("hip-architectures"), "there is no libtorch_hip.so with code for GPUs");
}

TEST_F(CheckRocm, WhatTheManifestMustSay) {
  const auto problem = [this] {
    return std::string(error_of([this] {
                         (void)parse_manifest(file_content(root() / "manifest.json"), "m");
                       }).what());
  };
  change({set("/rocm/archs", Json::array())});
  EXPECT_EQ(problem(), "m: rocm.archs is empty");
  change({unset("/rocm")});
  EXPECT_NE(problem(), "nothing was thrown");
}

}  // namespace
}  // namespace torchpkg::test
