// SPDX-License-Identifier: BSD-3-Clause
// What `torchpkg slice` keeps of device code, what it refuses and reports.
#include "slice_fixture.h"

namespace torchpkg::test {
namespace {

using Slice = SliceFixture;

std::string names(const std::vector<CodeTarget>& targets) {
  std::string text;
  for (const CodeTarget& target : targets) text += (text.empty() ? "" : " ") + target.name();
  return text;
}

TEST_F(Slice, WhatADriverMayTake) {
  struct Case {
    std::uint32_t gpu;
    Names there;
    const char* taken;
  };
  const std::vector<Case> cases = {
      {90, {"sm_80", "sm_90", "sm_90a", "sm_100", "compute_90"}, "sm_90 sm_90a"},
      {86, {"sm_75", "sm_80", "sm_89", "compute_86"}, "sm_80"},
      {75, {"sm_50", "sm_70", "sm_80"}, "sm_70"},
      {75, {"sm_80", "sm_90"}, ""},
      {80, {"sm_75"}, ""},
      {89, {"sm_80", "sm_86", "sm_90"}, "sm_86"},
      {103, {"sm_100a", "sm_100", "sm_100f", "sm_120f"}, "sm_100 sm_100f"},
      {103, {"sm_100f", "sm_103a"}, "sm_103a"},
      {90, {"sm_80", "compute_75", "compute_80", "compute_100", "lto_90"}, "compute_80"},
      {90, {"compute_90", "compute_90a", "compute_80"}, "compute_90 compute_90a"},
      {121, {"compute_90a", "compute_90f", "compute_120f", "compute_70"}, "compute_120f"},
      {121, {"compute_90a", "compute_90f", "compute_70"}, "compute_70"},
      {90, {"lto_90", "unknown_90"}, ""},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(names(targets_for(one.gpu, targets(one.there))), one.taken) << one.gpu;
  }
}

TEST_F(Slice, KeepsThatAndNothingElse) {
  const Names all = {"sm_75", "sm_80", "sm_90", "sm_90a", "sm_120", "compute_120"};
  const Names old = {"sm_50", "compute_50"};
  const Names only_later = {"sm_100", "compute_100"};
  const Names unknown = {"lto_75", "sm_80", "unknown_120"};
  const std::string gap(24, '\0');
  const std::string before = fat_binary(all) + fat_binary({}) + fat_binary(old) + gap +
                             fat_binary(only_later) + fat_binary(unknown) + fat_binary(all);
  const std::string after = sliced(all, {"sm_90", "sm_90a"}) + fat_binary({}) +
                            sliced(old, {"compute_50"}) + gap + sliced(only_later, {}) +
                            sliced(unknown, {"lto_75", "unknown_120"}) +
                            sliced(all, {"sm_90", "sm_90a"});
  for (const char* section : {".nv_fatbin", "__nv_relfatbin"}) {
    for (const Names& more : {Names{}, Names{"--in-place"}}) {
      Names arguments = {"--arch", "9.0"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      becomes(library("libk.so", before, section), before, after, arguments);
    }
  }
}

TEST_F(Slice, ForSeveralGpusAndWithPtx) {
  const Names all = {"sm_75", "sm_80", "sm_90", "compute_80", "compute_90"};
  const std::string before = fat_binary(all);
  becomes(library("libk.so", before), before, sliced(all, {"sm_75", "sm_90"}),
          {"--arch", "9.0", "--arch", "7.5"});
  becomes(library("libk.so", before), before, sliced(all, {"sm_80", "compute_80", "compute_90"}),
          {"--arch", "8.6+PTX"});
}

TEST_F(Slice, ObjectsOfAStaticLibrary) {
  const Names all = {"sm_80", "sm_90", "compute_90"};
  const fs::path file = static_library("libk.a", fat_binary(all));
  std::string expected = file_content(file);
  for (std::size_t at = 0; (at = expected.find(fat_binary(all))) != std::string::npos;) {
    expected.replace(at, fat_binary(all).size(), sliced(all, {"sm_80"}));
  }
  EXPECT_EQ(run({"--arch", "8.0"}).exit_code, 0);
  EXPECT_TRUE(file_content(file) == expected);
}

TEST_F(Slice, OfASlice) {
  const Names all = {"sm_75", "sm_80", "sm_90"};
  const fs::path file = library("libk.so", fat_binary(all));
  becomes(file, fat_binary(all), sliced(all, {"sm_75", "sm_90"}),
          {"--arch", "7.5", "--arch", "9.0"});
  const std::string once = sliced(all, {"sm_75", "sm_90"});
  becomes(file, once, once, {"--arch", "7.5", "--arch", "9.0"});
  refuses(
      {"--arch", "8.0"}, 3,
      "libk.so, which has most of the device code, has none that a GPU of compute capability 8.0 "
      "runs\n"
      "remedy: it has only sm_75, sm_90; what a slice has dropped is in the original alone");
  becomes(file, once, sliced(all, {"sm_90"}), {"--arch", "9.0"});
}

TEST_F(Slice, RefusesWhatIsNoGpu) {
  library("libk.so", fat_binary({"sm_90"}));
  for (const char* wrong : {"9", "native", "9.0a", "sm_90", "9.0;8.0"}) {
    refuses({std::string("--arch=") + wrong}, 2, "is not a GPU's compute capability");
  }
}

TEST_F(Slice, RefusesWhatNothingServes) {
  const std::string one = fat_binary({"sm_75", "sm_90"});
  library("libk.so", one + fat_binary({"sm_80"}) + one);
  library("libl.so", fat_binary({"compute_120"}) + fat_binary({"sm_120"}));
  refuses({"--arch", "9.0", "--arch", "10.0"}, 3, "of compute capability 10.0 runs");
  // Little of the code would be left: that of another library than the main one.
  refuses({"--arch", "12.0"}, 3,
          "libk.so, which has most of the device code, has none that a GPU of compute capability "
          "12.0 runs\nremedy: it has only sm_75, sm_80, sm_90;");
  refuses({"--arch", "9.0+PTX"}, 3,
          "libk.so, which has most of the device code, has no PTX, which --arch 9.0+PTX asks for");
  EXPECT_EQ(run({"--arch", "8.6"}).exit_code, 0) << "one source of libk.so serves it";
}

TEST_F(Slice, RefusesWhatHasNoDeviceCode) {
  library("libcublas.so.12", fat_binary({"sm_90"}));
  library("libk.so", "", ".text2");
  refuses({"--arch", "9.0"}, 3,
          "package has no device code for GPUs of NVIDIA\n"
          "remedy: give PyTorch's libraries for CUDA; NVIDIA's own are left as they are");
}

TEST_F(Slice, RefusesAnUnknownForm) {
  library("liba.so", fat_binary({"sm_80", "sm_90"}));
  std::string other = fat_binary({"sm_80", "sm_90"});
  other[4] = '\2';
  library("libk.so", fat_binary({}) + other);
  refuses({"--arch", "9.0"}, 3,
          "libk.so: .nv_fatbin: byte 16: a fat binary of version 2 is not known");
  library("libk.so", "no code!");
  refuses({"--arch", "9.0"}, 3, "libk.so: .nv_fatbin: byte 0: no fat binary begins here");
}

TEST_F(Slice, RefusesSectionsThatOverlap) {
  // Two sections have the same content; the second one's offset becomes that of the first.
  const std::string one = fat_binary({"sm_80", "sm_90"});
  fs::create_directories(package_);
  compile(source_with_section(folder_ / "a", ".nv_fatbin", one,
                              source_with_section(folder_ / "b", "__nv_relfatbin", one)),
          package_ / "libk.so", {"-shared", "-fPIC"});
  std::string bytes = file_content(package_ / "libk.so");
  const std::size_t first = bytes.find(one);
  const std::string second = little_endian(bytes.find(one, first + 1), 8);
  bytes.replace(bytes.rfind(second), 8, little_endian(first, 8));
  write_file(package_ / "libk.so", bytes);
  refuses({"--arch", "9.0"}, 3, "two fat binaries overlap at byte " + std::to_string(first));
}

TEST_F(Slice, LeavesNvidiasLibraries) {
  const std::string code = fat_binary({"sm_80", "sm_90"});
  const fs::path shared = library("libcublas.so.12", code);
  const std::string before = file_content(shared);
  static_library("libcudadevrt.a", code);
  static_library("libnvshmem_device.a", code);
  const std::string before_static = file_content(package_ / "libcudadevrt.a");
  library("libk.so", code);
  EXPECT_TRUE(contains(run({"--arch", "9.0"}).output,
                       "\n3 of NVIDIA's own libraries were left as they are\n"));
  EXPECT_TRUE(file_content(shared) == before);
  EXPECT_TRUE(file_content(package_ / "libcudadevrt.a") == before_static);
}

TEST_F(Slice, ReportsEachFile) {
  library("liba.so", fat_binary({"sm_80", "sm_90"}));
  library("libk.so", fat_binary({"sm_80", "sm_90"}));
  write_file(package_ / "readme.txt", "text");
  library("libx.so", "", ".text2");
  const std::string report = run({"--arch", "9.0"}).output;
  EXPECT_TRUE(contains(report, "/liba.so: device code 160 B -> 88 B, on the disk "));
  EXPECT_TRUE(contains(report, "\nsum: device code 320 B -> 176 B, on the disk "));
  EXPECT_FALSE(contains(report, "libx.so"));
}

}  // namespace
}  // namespace torchpkg::test
