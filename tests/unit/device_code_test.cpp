// SPDX-License-Identifier: BSD-3-Clause
// Reading fat binaries: byte-built ones, and what nvcc makes where there is one (TORCHPKG_NVCC).
#include "cuda/device_code.h"

#include <gtest/gtest.h>

#include "cuda/fat_binary.h"
#include "fat_binaries.h"

namespace torchpkg::test {
namespace {

Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

DeviceCode code_in(const fs::path& file) {
  const MappedFile mapped(file);
  if (is_ar(mapped.bytes())) return read_device_code(ArArchive(mapped.bytes(), file.string()));
  return read_device_code(ElfImage(mapped.bytes(), file.string()));
}

/// A library with `content` in a section.
fs::path library(const TemporaryFolder& folder, const std::string& section,
                 const std::string& content) {
  fs::path file = folder / "libk.so";
  compile(source_with_section(file, section, content), file, {"-shared", "-fPIC"});
  return file;
}

std::string names(const std::vector<CodeTarget>& targets) {
  std::string text;
  for (const CodeTarget& target : targets) text += (text.empty() ? "" : " ") + target.name();
  return text;
}

TEST(DeviceCode, ArchitecturesOfAPreset) {
  const auto name = [](const char* text) {
    const auto wanted = parse_wanted_arch(text);
    return wanted ? names(targets_of({*wanted})) : "none";
  };
  EXPECT_EQ(name("9.0"), "sm_90");
  EXPECT_EQ(name("9.0a"), "sm_90a");
  EXPECT_EQ(name("12.0f+PTX"), "sm_120f compute_120f");
  for (const char* wrong : {"", "9", "90", "9.", ".0", "9.0b", "9.0 ", "9.0+ptx", "+PTX", "9.00",
                            "-9.0", "0.5", "9.0aa", "100.0"}) {
    EXPECT_EQ(name(wrong), "none") << wrong;
  }
}

TEST(DeviceCode, AFatBinaryIsRead) {
  const std::string one = fat_binary({"sm_80", "sm_90a", "compute_90", "lto_75", "unknown_80"});
  const FatBinary found = read_fat_binary(bytes_of(one + "more"), 0);
  EXPECT_EQ(found.size, one.size());
  EXPECT_EQ(names(found.targets()), "sm_80 sm_90a compute_90 lto_75 unknown_80");
  EXPECT_TRUE(read_fat_binary(bytes_of(fat_binary({})), 0).entries.empty());
}

TEST(DeviceCode, DamageIsSaid) {
  const std::string good = fat_binary({"sm_80", "compute_90"});
  const auto message = [](std::string bytes, std::size_t at, const std::string& change) {
    bytes.replace(at, change.size(), change);
    return std::string(error_of([&] { read_fat_binary(bytes_of(bytes), 8); }).what());
  };
  EXPECT_EQ(message(good, 0, "x"), "byte 8: no fat binary begins here");
  EXPECT_EQ(message(good, 4, "\x02"), "byte 8: a fat binary of version 2 is not known");
  EXPECT_EQ(message(good, 8, "\xff"), "byte 8: a fat binary of 255 bytes runs over the end");
  EXPECT_EQ(message(good, 20, "\x3f"),
            "byte 24: an entry of 63 and 8 bytes runs over the end of its fat binary");
  EXPECT_EQ(message(good, 24, "\xff"),
            "byte 24: an entry of 64 and 255 bytes runs over the end of its fat binary");
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::string cut = good.substr(0, size);
    EXPECT_EQ(error_of([&] { read_fat_binary(bytes_of(cut), 0); }).code(), ExitCode::kBadInput)
        << size;
  }
}

TEST(DeviceCode, ALibrary) {
  const TemporaryFolder folder;
  const std::string two = fat_binary({"sm_80", "sm_90"});
  const std::string more = fat_binary({"sm_80", "sm_90", "sm_90a"});
  const fs::path file =
      library(folder, ".nv_fatbin", two + std::string(8, '\0') + more + fat_binary({}) + two);
  const DeviceCode code = code_in(file);
  EXPECT_EQ(code.problem, "");
  EXPECT_EQ(code.fat_binaries, 4U);
  EXPECT_EQ(code.bytes, 2 * two.size() + more.size() + 16);
  const std::uint64_t entry = (two.size() - 16) / 2;
  EXPECT_EQ(code.sizes.at(target("sm_80")), 3 * entry);
  EXPECT_EQ(code.sizes.at(target("sm_90a")), more.size() - 16 - 2 * entry);
  ASSERT_EQ(code.groups.size(), 2U);
  EXPECT_EQ(code.groups.at(targets({"sm_80", "sm_90"})).count, 2U);
  EXPECT_EQ(code.groups.at(targets({"sm_80", "sm_90", "sm_90a"})).first,
            "byte " + std::to_string(two.size() + 8) + " of .nv_fatbin");
}

TEST(DeviceCode, NoneAtAll) {
  const TemporaryFolder folder;
  compile("int x;\n", folder / "libx.so", {"-shared", "-fPIC"});
  EXPECT_TRUE(code_in(folder / "libx.so").groups.empty());
}

TEST(DeviceCode, WhatIsNoFatBinaryIsAProblem) {
  const TemporaryFolder folder;
  const std::string good = fat_binary({"sm_80"});
  DeviceCode code = code_in(library(folder, ".nv_fatbin", good + "garbage!"));
  EXPECT_EQ(code.problem,
            ".nv_fatbin: byte " + std::to_string(good.size()) + ": no fat binary begins here");
  EXPECT_EQ(code.fat_binaries, 1U) << "what was read before stays";
  code = code_in(library(folder, ".nv_fatbin", good.substr(0, good.size() - 8)));
  EXPECT_TRUE(contains(code.problem, "runs over the end"));
}

TEST(DeviceCode, AStaticLibrary) {
  const TemporaryFolder folder;
  const auto add = [&folder](const char* name, const std::string& section,
                             const std::string& code) {
    compile(source_with_section(folder / name, section, code), folder / name, {"-c", "-fPIC"});
    must_run({"ar", "rcs", (folder / "libk.a").string(), (folder / name).string()});
  };
  add("a.o", ".nv_fatbin", fat_binary({"sm_80"}));
  add("b.o", "__nv_relfatbin", fat_binary({"sm_80", "compute_80"}));
  write_file(folder / "note.txt", "no object");
  must_run({"ar", "rs", (folder / "libk.a").string(), (folder / "note.txt").string()});
  DeviceCode code = code_in(folder / "libk.a");
  EXPECT_EQ(code.fat_binaries, 2U);
  EXPECT_EQ(code.groups.at(targets({"sm_80", "compute_80"})).first,
            "b.o: byte 0 of __nv_relfatbin");
  add("c.o", ".nv_fatbin", "no code!");
  code = code_in(folder / "libk.a");
  EXPECT_EQ(code.problem, "c.o: .nv_fatbin: byte 0: no fat binary begins here");
}

constexpr const char* kKernel =
    "__global__ void add(float* x, const float* y, int n) {\n"
    "  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] += y[i] * 2.5f;\n"
    "}\n"
    "void run(float* x, float* y) { add<<<1, 64>>>(x, y, 1000); }\n";

/// What nvcc of this machine makes of a kernel, in every way that changes the container.
class DeviceCodeNvcc : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(TORCHPKG_NVCC).empty()) GTEST_SKIP() << "there is no nvcc";
    write_file(folder_ / "kernel.cu", kKernel);
  }

  [[nodiscard]] fs::path object(const std::vector<std::string>& flags) const {
    fs::path file = folder_ / "kernel.o";
    std::vector<std::string> command{TORCHPKG_NVCC, "-c", "-o", file.string(),
                                     (folder_ / "kernel.cu").string()};
    command.insert(command.end(), flags.begin(), flags.end());
    const CommandResult result = run_command(command);
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return file;
  }

  /// The only group of fat binaries in a file; without problem.
  static std::string only_group(const fs::path& file) {
    const DeviceCode code = code_in(file);
    EXPECT_EQ(code.problem, "");
    EXPECT_EQ(code.groups.size(), 1U);
    return code.groups.empty() ? "" : names(code.groups.begin()->first);
  }

  const std::vector<std::string> kSeveral = {"-gencode=arch=compute_80,code=sm_80",
                                             "-gencode=arch=compute_90,code=[sm_90,compute_90]",
                                             "-gencode=arch=compute_90a,code=sm_90a"};
  TemporaryFolder folder_;
};

TEST_F(DeviceCodeNvcc, CompressedOrNot) {
  for (const char* flag : {"", "-Xfatbin=-compress-all", "-no-compress", "-rdc=true"}) {
    std::vector<std::string> flags = kSeveral;
    if (*flag != '\0') flags.emplace_back(flag);
    EXPECT_EQ(only_group(object(flags)), "sm_80 sm_90 sm_90a compute_90") << flag;
  }
}

TEST_F(DeviceCodeNvcc, AfterStripping) {
  const fs::path made = object(kSeveral);
  const fs::path library = folder_ / "libk.so";
  const fs::path debug = folder_ / "libk.so.debug";
  // The symbols of CUDA's runtime are left open.
  const CommandResult linked =
      run_command({TORCHPKG_CXX, "-shared", "-o", library.string(), made.string()});
  if (linked.exit_code != 0) {
    must_run({TORCHPKG_NVCC, "-Xcompiler=-fPIC", "-shared", "-o", library.string(),
              (folder_ / "kernel.cu").string(), kSeveral[0], kSeveral[1], kSeveral[2]});
  }
  EXPECT_EQ(only_group(library), "sm_80 sm_90 sm_90a compute_90");
  const std::vector<std::vector<std::string>> steps = {
      {"objcopy", "--only-keep-debug", library.string(), debug.string()},
      {"objcopy", "--strip-debug", "--add-gnu-debuglink=" + debug.string(), library.string()},
      {"strip", "--strip-unneeded", library.string()}};
  for (const std::vector<std::string>& step : steps) {
    must_run(step);
    EXPECT_EQ(only_group(library), "sm_80 sm_90 sm_90a compute_90") << step[1];
  }
  EXPECT_TRUE(code_in(debug).groups.empty()) << "a file of debug information has none";
}

}  // namespace
}  // namespace torchpkg::test
