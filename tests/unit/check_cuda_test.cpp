// SPDX-License-Identifier: BSD-3-Clause
// Rows of packages for NVIDIA's GPUs: faults of the good package.
#include "check_cuda_fixture.h"
#include "fat_binaries.h"

namespace torchpkg::test {
namespace {

TEST_F(CheckCuda, TheGoodPackagePassesEverything) {
  EXPECT_EQ(failed_when_packed(), Names{}) << report_.dump(2);
  EXPECT_EQ(verdict("gpu-code"), "not applicable");
  EXPECT_EQ(found("gpu-architectures"), "sm_80 sm_90 compute_90 in 8 libraries");
  EXPECT_EQ(found("nvrtc"), "libnvrtc.so.12 with libnvrtc-builtins.so.12.4, 7 parts of cuDNN");
  EXPECT_EQ(found("cuda-versions"),
            "CUDA 12.4 (4 places), cuDNN 9.1.0 (2 places), NCCL 2.21.5 (3 places), "
            "MAGMA 2.9.0 (2 places)");
  EXPECT_TRUE(contains(report_.dump(),
                       "lib/libtorch_cuda.so: sm_80, sm_90, sm_90a, compute_90 in 3 fat "
                       "binaries"));
}

const std::string kRow = "gpu-architectures";
const std::string kGood = fat_binary({"sm_80", "sm_90", "compute_90"});

TEST_F(CheckCuda, CodeForGpus) {
  const std::string theirs = fat_binary({"sm_70", "sm_80", "compute_80"});
  const Change with_theirs = make_torch_cuda(kGood + theirs + theirs);
  broken("an architecture that one source file lacks",
         {make_torch_cuda(kGood + fat_binary({"sm_90"}))}, kRow,
         "lib/libtorch_cuda.so: 1 fat binaries lack sm_80 (the first: byte 248 of .nv_fatbin)");
  broken("one that nobody asked for",
         {make_torch_cuda(fat_binary({"sm_75", "sm_80", "sm_90", "compute_90"}))}, kRow,
         "lib/libtorch_cuda.so: 1 fat binaries have sm_75, which was not asked for (the first: "
         "byte 0 of .nv_fatbin)");
  broken("one of single files that is not named", {unset("/cuda/additional_archs")}, kRow,
         "lib/libtorch_cuda.so: 1 fat binaries have sm_90a, which was not asked for (the first: "
         "byte 248 of .nv_fatbin)");
  broken("no PTX anywhere", {make_torch_cuda(fat_binary({"sm_80", "sm_90"}))}, kRow,
         "lib/libtorch_cuda.so has no compute_90");
  good("what was linked on the device has none itself",
       {make_torch_cuda(fat_binary({"sm_80", "sm_90"}) + kGood)});
  broken("none at all", {make_torch_cuda("")}, kRow,
         "there is no libtorch_cuda.so with code for GPUs");
  broken("damage", {make_torch_cuda(kGood + "garbage")}, kRow,
         "lib/libtorch_cuda.so: .nv_fatbin: byte 248: no fat binary begins here");
  broken("code that was linked in ready-made", {with_theirs}, kRow);
  broken("NVIDIA's library without its code",
         {run_on("lib/libcublas.so.12", {"objcopy", "--remove-section=.nv_fatbin"})}, kRow,
         "lib/libcublas.so.12 has no code for GPUs");
  broken("no kernels of NCCL",
         {make_torch_cuda(kGood, {"13magma_trans_t", "NCCL version 2.21.5+cuda12.4"})}, kRow,
         "NCCL is on in the manifest, but no library has its kernels");
  broken("no kernels of MAGMA", {make_torch_cuda(kGood, {"ncclDevKernel_x"})}, kRow,
         "MAGMA is on in the manifest, but no library has its kernels");
  change(
      {with_theirs, set("/cuda/other_code", {{{"from", "magma"}, {"archs", {"7.0", "8.0+PTX"}}}})});
  EXPECT_EQ(failed(root()), Names{});
  EXPECT_TRUE(contains(report_.dump(), "2 fat binaries are counted as those of magma"));
  change({set("/cuda/other_code/0/archs", {"7.0", "8.0"})});
  failed(root());
  EXPECT_TRUE(contains(report_.dump(), "the code of magma has none that runs on 9.0"));
}

TEST_F(CheckCuda, AnotherArchitectureThanAllHave) {
  change({set("/cuda/archs", {"7.5", "8.0", "9.0+PTX"})});
  failed(root());
  for (const char* what :
       {"lib/libcublas.so.12 has no code that runs on 7.5",
        "lib/libtorch_cuda.so: 2 fat binaries lack sm_75",
        "include/ATen/cuda/CUDAConfig.h says compute_90 sm_80 sm_90, the manifest sm_75 sm_80 "
        "sm_90 compute_90"}) {
    EXPECT_TRUE(contains(report_.dump(), what)) << report_.dump(2);
  }
}

TEST_F(CheckCuda, WhatIsOpened) {
  const std::string renamed = "libnvrtc-0a1b2c3d.so.12";
  const std::string newer = "libnvrtc-builtins.so.12.6";
  const auto place_of = [](const Json& manifest, const char* file) {
    std::size_t place = 0;
    while (manifest["bundled"][place]["file"] != file) ++place;
    return "/bundled/" + std::to_string(place);
  };
  const Json manifest = Json::parse(file_content(root() / "manifest.json"));
  const std::string nvrtc = place_of(manifest, "libnvrtc.so.12");
  // As the official packages of 2.6.0 have it: renamed, and opened by a hash that is XXXXXXXX.
  const auto opened_by = [&](const std::string& hash) -> std::vector<Change> {
    return {move_file("lib/libnvrtc.so.12", "lib/" + renamed),
            set_soname("lib/" + renamed, renamed), set(nvrtc + "/file", renamed),
            set(nvrtc + "/sha256", "0a1b2c3d00"),
            make_torch_cuda(kGood, {"ncclDevKernel_", "13magma_trans_t", "libnvrtc-", hash})};
  };
  const std::vector<Change> newer_builtins{
      move_file("lib/libnvrtc-builtins.so.12.4", "lib/" + newer), set_soname("lib/" + newer, newer),
      set(place_of(manifest, "libnvrtc-builtins.so.12.4") + "/file", newer)};
  const std::vector<Change> no_ops{drop("lib/libcudnn_ops.so.9"),
                                   unset(place_of(manifest, "libcudnn_ops.so.9"))};
  const Change start = put_library(
      "lib/libcaffe2_nvrtc.so",
      "extern \"C\" int cuInit(unsigned); extern \"C\" int start() { return cuInit(0); }\n");
  broken("NVRTC that is not reached", {move_file("lib/libnvrtc.so.12", "lib/more/libnvrtc.so.12")},
         "bundled opened-by-name nvrtc",
         "lib/libtorch_cpu.so opens libnvrtc.so.12, which is not reached by its RPATH");
  broken(
      "a renamed NVRTC that nobody opens", opened_by("XXXXXXXX"), "opened-by-name nvrtc",
      "lib/libnvrtc-0a1b2c3d.so.12 is opened by no name: libtorch_cuda has not its hash, and its "
      "other name is libnvrtc.so.12");
  broken("a renamed NVRTC that is opened by its hash", opened_by("0a1b2c3d"), "opened-by-name");
  broken("builtins of another version", newer_builtins, "opened-by-name nvrtc cuda-versions",
         "lib/libnvrtc.so.12 opens libnvrtc-builtins.so.12.4, which is not reached by its RPATH");
  broken("builtins of another version than CUDA", newer_builtins,
         "opened-by-name nvrtc cuda-versions",
         "CUDA is 12.4 in the manifest, but 12.6 in lib/libnvrtc-builtins.so.12.6");
  broken("a part of cuDNN that is missing", no_ops, "opened-by-name nvrtc",
         "lib/libcudnn.so.9 opens libcudnn_ops.so by name, which is not inside");
  broken("a part of cuDNN that is not reached", no_ops, "opened-by-name nvrtc",
         "lib/libcudnn.so.9 opens libcudnn_ops.so.9, which is not reached by its RPATH");
  broken("a runtime of another major version",
         {run_on("lib/libtorch_cuda.so",
                 {"patchelf", "--replace-needed", "libcudart.so.12", "libcudart.so.11.0"})},
         "closure cuda-versions",
         "lib/libtorch_cuda.so needs libcudart.so.11.0, which CUDA 12.4 does not have");
  broken("the driver's functions, without the driver", {start}, "undefined-symbols");
  good("the driver comes with the host",
       {start, add_needed("lib/libcaffe2_nvrtc.so", "libcuda.so.1")});
  broken("another toolkit",
         {make_torch_cuda(kGood,
                          {"NCCL version 2.21.5+cuda12.6", "ncclDevKernel_", "13magma_trans_t"})},
         "cuda-versions", "CUDA is 12.4 in the manifest, but 12.6 in NCCL in lib/libtorch_cuda.so");
  broken("another toolkit than the backend's", {set("/backend", "cu126")}, "cuda-versions",
         "the manifest's backend says cu126, but its CUDA is 12.4");
}

TEST_F(CheckCuda, VersionsThatDiffer) {
  change({set("/cuda/versions", {{"cudnn", "9.1.1"}, {"nccl", "2.22.3"}, {"magma", "2.6.1"}})});
  EXPECT_EQ(failed(root()), Names{"cuda-versions"});
  const std::string report = report_.dump();
  for (const char* what :
       {"cuDNN is 9.1.1 in the headers, as the manifest says, but 9.1.0.70 in "
        "lib/libcudnn_graph.so.9",
        "NCCL is 2.22.3 in the headers, as the manifest says, but 2.21.5-1 in the pins",
        "NCCL is 2.22.3 in the headers, as the manifest says, but 2.21.5 in lib/libtorch_cuda.so",
        "MAGMA is 2.6.1 in the headers, as the manifest says, but 2.9.0 in the pins"}) {
    EXPECT_TRUE(contains(report, what)) << what << report_.dump(2);
  }
}

TEST_F(CheckCuda, WithoutDepsTheHostHasNvrtc) {
  for (const auto& entry : fs::directory_iterator(root() / "lib")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("libcu") || name.starts_with("libnv") || name.starts_with("libhelper") ||
        name.starts_with("libgomp")) {
      fs::remove(entry.path());
    }
  }
  change({set("/deps", "without-deps"), set("/bundled", Json::array())});
  failed(root());
  EXPECT_EQ(first_detail("nvrtc"),
            "libnvrtc.so.12 must come from the host, but the manifest does not name it in "
            "host_libraries");
  change(
      {set("/host_libraries/0", {{"name", "libnvrtc.so.12"}, {"symbol_versions", Json::array()}})});
  failed(root());
  EXPECT_EQ(verdict("nvrtc"), "pass") << first_detail("nvrtc");
  EXPECT_EQ(found("nvrtc"), "libnvrtc.so.12 of the host");
  EXPECT_EQ(verdict("gpu-architectures"), "pass") << first_detail("gpu-architectures");
}

}  // namespace
}  // namespace torchpkg::test
