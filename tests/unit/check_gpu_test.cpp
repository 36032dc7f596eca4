// SPDX-License-Identifier: BSD-3-Clause
// Rows of packages for GPUs: faults of a good package for CUDA, and of one for ROCm.
#include <gtest/gtest.h>

#include "check_fixture.h"
#include "fat_binaries.h"

namespace torchpkg::test {
namespace {

constexpr const char* kRow = "gpu-architectures";

/// A library in lib/ with code in a section, that needs others beside it and opens some by name.
Change gpu_library(const std::string& name, const std::string& section, const std::string& code,
                   const Names& needed = {}, const Names& opened = {}) {
  return [=](const fs::path& root) {
    const fs::path file = root / "lib" / name;
    std::string source =
        "#include <dlfcn.h>\n"
        "namespace torch { void* open(const char* name) { return dlopen(name, RTLD_NOW); } }\n";
    for (std::size_t i = 0; i < opened.size(); ++i) {
      source += "__attribute__((used)) static const char text" + std::to_string(i) + "[] = \"" +
                opened[i] + "\";\n";
    }
    if (!section.empty()) source = source_with_section(file, section, code, source);
    Names flags = {"-Wl,--no-as-needed,--disable-new-dtags,-rpath,$ORIGIN"};
    for (const std::string& library : needed) flags.push_back((root / "lib" / library).string());
    compile_shared(source, file, flags);
    fs::remove(file.string() + ".bin");
  };
}

Change torch_cuda(const std::string& code) {
  return gpu_library("libtorch_cuda.so", ".nv_fatbin", code, {"libcudart.so.12", "libcudnn.so.9"},
                     {"libnvrtc.so."});
}

const std::string kAll = fat_binary({"sm_80", "sm_90", "compute_90"});

TEST_F(CheckTest, OfACpuPackage) {
  broken("code for GPUs", {gpu_library("libtorch_more.so", ".nv_fatbin", kAll)}, kRow,
         "lib/libtorch_more.so has code for GPUs");
  broken("CUDA's driver", {add_needed("lib/libc10.so", "libcuda.so.1")}, kRow,
         "lib/libc10.so needs libcuda.so.1");
}

TEST_F(CheckTest, OfABackendThatItDoesNotKnow) {
  change({set("/backend", "cu7"), set("/backend_kind", "abacus")});
  EXPECT_EQ(failed(), "");
  EXPECT_EQ(row(kRow)["found"], "the backend is cu7");
}

TEST_F(CheckTest, OfALibraryAloneForCuda) {
  change({gpu_library("libmagma.so", ".nv_fatbin", fat_binary({"sm_80", "sm_90"})),
          set("/product", "package"), set("/backend", "cu124"), set("/backend_kind", "cuda"),
          set("/cuda",
              {{"version", "12.4"}, {"archs", {"8.0", "9.0"}}, {"versions", Json::object()}})});
  EXPECT_EQ(failed(), "") << report_.dump(2);
  EXPECT_EQ(row(kRow)["found"], "sm_80 sm_90 in 1 library");
  broken("PTX that nobody asked for", {gpu_library("libmagma.so", ".nv_fatbin", kAll)}, kRow,
         "lib/libmagma.so: code has compute_90, not asked for, in 1 piece (the first: byte 0 of "
         ".nv_fatbin)");
  broken("no code", {gpu_library("libmagma.so", "", "")}, kRow,
         "no library of the package's own has code for GPUs");
}

TEST_F(CheckTest, OfAPackageForCuda) {
  const std::string special = fat_binary({"sm_80", "sm_90", "sm_90a", "compute_90"});
  const std::string theirs = fat_binary({"sm_70", "sm_80", "compute_80"});
  const Change other_code =
      set("/cuda/other_code", {{{"from", "magma"}, {"archs", {"7.0", "8.0+PTX"}}}});
  for (const char* name : {"libcudart.so.12", "libcudnn.so.9", "libnvrtc.so.12"}) {
    const Names opened = name == std::string("libcudnn.so.9") ? Names{"libcudnn_ops.so"} : Names{};
    change({gpu_library(name, "", "", {}, opened), list_bundled(name)});
  }
  change({gpu_library("libcudnn_ops.so.9", ".nv_fatbin", fat_binary({"sm_50"})),
          list_bundled("libcudnn_ops.so.9"), torch_cuda(kAll + special), set("/backend", "cu124"),
          set("/backend_kind", "cuda"),
          set("/cuda", {{"version", "12.4"},
                        {"archs", {"8.0", "9.0+PTX"}},
                        {"additional_archs", Json::array({"9.0a"})},
                        {"versions", {{"cudnn", "9.1.0"}}}})});
  EXPECT_EQ(failed(), "") << report_.dump(2);
  EXPECT_EQ(row(kRow)["found"], "compute_90 sm_80 sm_90 in 1 library");
  EXPECT_EQ(row("cuda-versions")["found"], "2 libraries compared");
  good(
      "cuFile, whose SONAME has another number",
      {gpu_library("libcufile.so.0", "", ""), list_bundled("libcufile.so.0"),
       add_needed("lib/libtorch_cuda.so", "libcufile.so.0"), set("/cuda/versions/cufile", "1.17")});
  broken("an architecture that one source file lacks", {torch_cuda(kAll + fat_binary({"sm_90"}))},
         kRow,
         "lib/libtorch_cuda.so: code lacks sm_80, in 1 piece (the first: byte 248 of .nv_fatbin)");
  broken("one that nobody asked for",
         {torch_cuda(fat_binary({"sm_75", "sm_80", "sm_90", "compute_90"}))}, kRow,
         "lib/libtorch_cuda.so: code has sm_75, not asked for, in 1 piece*");
  broken("one of single files that is not named", {unset("/cuda/additional_archs")}, kRow,
         "lib/libtorch_cuda.so: code has sm_90a, not asked for, in 1 piece*");
  broken("no PTX anywhere", {torch_cuda(fat_binary({"sm_80", "sm_90"}))}, kRow,
         "lib/libtorch_cuda.so has no compute_90");
  good("what was linked on the device has none itself",
       {torch_cuda(fat_binary({"sm_80", "sm_90"}) + kAll)});
  broken("none at all", {torch_cuda("")}, kRow,
         "no library of the package's own has code for GPUs");
  broken("damage", {torch_cuda(kAll + "garbage")}, kRow,
         "lib/libtorch_cuda.so: .nv_fatbin: byte 248: no fat binary begins here");
  broken("code that was linked in ready-made", {torch_cuda(kAll + theirs)}, kRow);
  good("the same, named", {torch_cuda(kAll + theirs), other_code});
  broken("a runtime of another major version",
         {run_on("lib/libtorch_cuda.so",
                 {"patchelf", "--replace-needed", "libcudart.so.12", "libcudart.so.11.0"})},
         "closure cuda-versions",
         "lib/libtorch_cuda.so needs libcudart.so.11.0, but was compiled with cudart 12.4");
  broken("NVRTC that is not reached", {move_file("lib/libnvrtc.so.12", "lib/x/libnvrtc.so.12")},
         "opened-by-name", "lib/libtorch_cuda.so opens libnvrtc.so. by name, which is not inside");
  broken("a part of cuDNN that is missing", {drop("lib/libcudnn_ops.so.9")}, "opened-by-name",
         "lib/libcudnn.so.9 opens libcudnn_ops.so by name, which is not inside");
  const Change opens_cufile =
      gpu_library("libcudnn.so.9", "", "", {}, {"libcudnn_ops.so", "libcufile.so.0"});
  good("cuFile, which is not there without its feature", {opens_cufile});
  broken("the same with it", {opens_cufile, set("/features/CUFILE", {{"enabled", true}})},
         "opened-by-name", "lib/libcudnn.so.9 opens libcufile.so.0 by name, which is not inside");
  change({set("/cuda/slice", {"8.9"}), set("/cuda/archs", {"8.9"}),
          torch_cuda(fat_binary({"sm_80"}))});
  EXPECT_EQ(failed(), "") << report_.dump(2);
  EXPECT_EQ(row(kRow)["limit"], "what GPUs of sm_89 run, and nothing else");
  broken("code that the GPU of a slice does not run", {torch_cuda(fat_binary({"sm_80", "sm_90"}))},
         kRow, "lib/libtorch_cuda.so: code has sm_90, which the slice does not need, in 1 piece*");
  broken("code that it runs, and does not take", {torch_cuda(fat_binary({"sm_80", "sm_86"}))}, kRow,
         "lib/libtorch_cuda.so: code has sm_80, which the slice does not need, in 1 piece*");
  broken("PTX that nobody asked for", {torch_cuda(fat_binary({"sm_80", "compute_80"}))}, kRow,
         "lib/libtorch_cuda.so: code has compute_80, which the slice does not need, in 1 piece*");
  change({set("/cuda/archs", {"sm_90"})});
  EXPECT_TRUE(contains(failed(), "\"sm_90\" is not an architecture such as 9.0, 9.0a or 9.0+PTX"));
}

TEST_F(CheckTest, OfAPackageForRocm) {
  const auto torch_hip = [](const std::string& bundles) {
    return gpu_library("libtorch_hip.so", ".hip_fatbin", bundles);
  };
  const std::string both = offload_bundle({"gfx906", "gfx90a"});
  change({torch_hip(both + both), set("/backend", "rocm6.2"), set("/backend_kind", "rocm"),
          set("/rocm", {{"version", "6.2"}, {"archs", {"gfx90a", "gfx906"}}})});
  EXPECT_EQ(failed(), "") << report_.dump(2);
  EXPECT_EQ(row(kRow)["found"], "gfx906 gfx90a in 1 library");
  broken("another GPU", {torch_hip(both + offload_bundle({"gfx90a", "gfx1100"}))}, kRow,
         "lib/libtorch_hip.so: code lacks gfx906 and has gfx1100, not asked for, in 1 piece (the "
         "first: byte 4120 of .hip_fatbin)");
  broken("no library", {drop("lib/libtorch_hip.so")}, kRow,
         "no library of the package's own has code for GPUs");
}

}  // namespace
}  // namespace torchpkg::test
