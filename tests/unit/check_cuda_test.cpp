// SPDX-License-Identifier: BSD-3-Clause
// Rows of packages for NVIDIA's GPUs: each test breaks one thing of the good package.
#include <algorithm>

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

TEST_F(CheckCuda, AnArchitectureThatOneSourceFileLacks) {
  make_torch_cuda(fat_binary({"sm_80", "sm_90", "compute_90"}) + fat_binary({"sm_90"}), {});
  expect_fault(
      "gpu-architectures",
      "lib/libtorch_cuda.so: 1 fat binaries lack sm_80 (the first: byte 248 of .nv_fatbin)");
}

TEST_F(CheckCuda, AnArchitectureThatNobodyAskedFor) {
  make_torch_cuda(fat_binary({"sm_75", "sm_80", "sm_90", "compute_90"}), {});
  expect_fault(
      "gpu-architectures",
      "lib/libtorch_cuda.so: 1 fat binaries have sm_75, which was not asked for (the first: "
      "byte 0 of .nv_fatbin)");
}

TEST_F(CheckCuda, ArchitecturesOfSingleFilesHaveToBeNamed) {
  change_cuda([](Json& cuda) { cuda.erase("additional_archs"); });
  expect_fault(
      "gpu-architectures",
      "lib/libtorch_cuda.so: 1 fat binaries have sm_90a, which was not asked for (the first: "
      "byte 248 of .nv_fatbin)");
}

TEST_F(CheckCuda, NoPtxAnywhere) {
  make_torch_cuda(fat_binary({"sm_80", "sm_90"}), {});
  expect_fault("gpu-architectures", "lib/libtorch_cuda.so has no compute_90");
  make_torch_cuda(fat_binary({"sm_80", "sm_90"}) + fat_binary({"sm_80", "sm_90", "compute_90"}),
                  {});
  EXPECT_EQ(failed(root()), Names{}) << "what was linked on the device has none itself";
}

TEST_F(CheckCuda, NoCodeForGpusAtAll) {
  make_torch_cuda("", {});
  expect_fault("gpu-architectures", "there is no libtorch_cuda.so with code for GPUs");
}

TEST_F(CheckCuda, DamagedDeviceCode) {
  make_torch_cuda(fat_binary({"sm_80", "sm_90", "compute_90"}) + "garbage", {});
  expect_fault("gpu-architectures",
               "lib/libtorch_cuda.so: .nv_fatbin: byte 248: no fat binary begins here");
}

TEST_F(CheckCuda, ANvidiaLibraryWithoutCodeThatRuns) {
  change_cuda([](Json& cuda) { cuda["archs"] = {"7.5", "8.0", "9.0+PTX"}; });
  failed(root());
  EXPECT_TRUE(contains(report_.dump(), "lib/libcublas.so.12 has no code that runs on 7.5"))
      << report_.dump(2);
  EXPECT_TRUE(contains(report_.dump(), "lib/libtorch_cuda.so: 2 fat binaries lack sm_75"));
  EXPECT_TRUE(contains(report_.dump(),
                       "include/ATen/cuda/CUDAConfig.h says compute_90 sm_80 sm_90, the "
                       "manifest sm_75 sm_80 sm_90 compute_90"));
}

TEST_F(CheckCuda, ANvidiaLibraryThatLostItsCode) {
  fs::copy_file(lib("libcudnn_cnn.so.9"), lib("libcudnn_ops.so.9"),
                fs::copy_options::overwrite_existing);
  must_run({"objcopy", "--remove-section=.nv_fatbin", lib("libcublas.so.12").string()});
  const Names rows = failed(root());
  EXPECT_NE(std::find(rows.begin(), rows.end(), "gpu-architectures"), rows.end());
  EXPECT_EQ(first_detail("gpu-architectures"), "lib/libcublas.so.12 has no code for GPUs");
}

TEST_F(CheckCuda, CodeThatWasLinkedInReadyMade) {
  const std::string ours = fat_binary({"sm_80", "sm_90", "compute_90"});
  const std::string theirs = fat_binary({"sm_70", "sm_80", "compute_80"});
  make_torch_cuda(ours + theirs + theirs, {});
  EXPECT_EQ(failed(root()), Names{"gpu-architectures"});
  change_cuda([](Json& cuda) {
    cuda["other_code"] = {{{"from", "magma"}, {"archs", {"7.0", "8.0+PTX"}}}};
  });
  EXPECT_EQ(failed(root()), Names{});
  EXPECT_TRUE(contains(report_.dump(), "2 fat binaries are counted as those of magma"));
  change_cuda([](Json& cuda) { cuda["other_code"][0]["archs"] = {"7.0", "8.0"}; });
  failed(root());
  EXPECT_TRUE(contains(report_.dump(), "the code of magma has none that runs on 9.0"));
}

TEST_F(CheckCuda, NoKernelsOfNccl) {
  make_torch_cuda(fat_binary({"sm_80", "sm_90", "compute_90"}),
                  {"13magma_trans_t", "NCCL version 2.21.5+cuda12.4"});
  expect_fault("gpu-architectures", "NCCL is on in the manifest, but no library has its kernels");
}

TEST_F(CheckCuda, NoKernelsOfMagma) {
  make_torch_cuda(fat_binary({"sm_80", "sm_90", "compute_90"}), {"ncclDevKernel_x"});
  expect_fault("gpu-architectures", "MAGMA is on in the manifest, but no library has its kernels");
}

TEST_F(CheckCuda, NvrtcThatIsNotReached) {
  fs::create_directories(lib("more"));
  fs::rename(lib("libnvrtc.so.12"), lib("more/libnvrtc.so.12"));
  const Names rows = failed(root());
  EXPECT_NE(std::find(rows.begin(), rows.end(), "nvrtc"), rows.end());
  EXPECT_EQ(first_detail("nvrtc"),
            "lib/libtorch_cpu.so opens libnvrtc.so.12, which is not reached by its RPATH");
}

/// As the official packages of 2.6.0 have it: renamed, and opened by a hash that is XXXXXXXX.
TEST_F(CheckCuda, ARenamedNvrtcIsOpenedByItsHash) {
  fs::rename(lib("libnvrtc.so.12"), lib("libnvrtc-0a1b2c3d.so.12"));
  patchelf({"--set-soname", "libnvrtc-0a1b2c3d.so.12"}, lib("libnvrtc-0a1b2c3d.so.12"));
  change_manifest([](Json& manifest) {
    for (Json& library : manifest["bundled"]) {
      if (library["file"] != "libnvrtc.so.12") continue;
      library["file"] = "libnvrtc-0a1b2c3d.so.12";
      library["sha256"] = "0a1b2c3d00";
    }
  });
  const std::string code = fat_binary({"sm_80", "sm_90", "compute_90"});
  make_torch_cuda(code, {"ncclDevKernel_", "13magma_trans_t", "libnvrtc-", "XXXXXXXX"});
  Names rows = failed(root());
  EXPECT_NE(std::find(rows.begin(), rows.end(), "nvrtc"), rows.end());
  EXPECT_EQ(first_detail("nvrtc"),
            "lib/libnvrtc-0a1b2c3d.so.12 is opened by no name: libtorch_cuda has not its hash, and "
            "its other name is libnvrtc.so.12");
  make_torch_cuda(code, {"ncclDevKernel_", "13magma_trans_t", "libnvrtc-", "0a1b2c3d"});
  rows = failed(root());
  EXPECT_EQ(std::find(rows.begin(), rows.end(), "nvrtc"), rows.end()) << first_detail("nvrtc");
}

TEST_F(CheckCuda, BuiltinsOfAnotherVersion) {
  fs::rename(lib("libnvrtc-builtins.so.12.4"), lib("libnvrtc-builtins.so.12.6"));
  patchelf({"--set-soname", "libnvrtc-builtins.so.12.6"}, lib("libnvrtc-builtins.so.12.6"));
  change_manifest([](Json& manifest) {
    for (Json& library : manifest["bundled"]) {
      if (library["file"] == "libnvrtc-builtins.so.12.4")
        library["file"] = "libnvrtc-builtins.so.12.6";
    }
  });
  EXPECT_EQ(failed(root()), (Names{"opened-by-name", "nvrtc", "cuda-versions"}));
  EXPECT_EQ(
      first_detail("nvrtc"),
      "lib/libnvrtc.so.12 opens libnvrtc-builtins.so.12.4, which is not reached by its RPATH");
  EXPECT_EQ(first_detail("cuda-versions"),
            "CUDA is 12.4 in the manifest, but 12.6 in lib/libnvrtc-builtins.so.12.6");
}

TEST_F(CheckCuda, APartOfCudnnThatIsMissing) {
  fs::remove(lib("libcudnn_ops.so.9"));
  change_manifest([](Json& manifest) {
    Json& bundled = manifest["bundled"];
    for (std::size_t i = bundled.size(); i-- > 0;) {
      if (bundled[i]["file"] == "libcudnn_ops.so.9") bundled.erase(i);
    }
  });
  EXPECT_EQ(failed(root()), (Names{"opened-by-name", "nvrtc"}));
  EXPECT_EQ(first_detail("opened-by-name"),
            "lib/libcudnn.so.9 opens libcudnn_ops.so by name, which is not inside");
  EXPECT_EQ(first_detail("nvrtc"),
            "lib/libcudnn.so.9 opens libcudnn_ops.so.9, which is not reached by its RPATH");
}

TEST_F(CheckCuda, VersionsThatDiffer) {
  change_cuda([](Json& cuda) {
    cuda["versions"] = {{"cudnn", "9.1.1"}, {"nccl", "2.22.3"}, {"magma", "2.6.1"}};
  });
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

TEST_F(CheckCuda, AnotherToolkit) {
  make_torch_cuda(fat_binary({"sm_80", "sm_90", "compute_90"}),
                  {"NCCL version 2.21.5+cuda12.6", "ncclDevKernel_", "13magma_trans_t"});
  expect_fault("cuda-versions",
               "CUDA is 12.4 in the manifest, but 12.6 in NCCL in lib/libtorch_cuda.so");
  change_manifest([](Json& manifest) { manifest["backend"] = "cu126"; });
  failed(root());
  EXPECT_TRUE(contains(report_.dump(), "the manifest's backend says cu126, but its CUDA is 12.4"));
}

TEST_F(CheckCuda, ARuntimeOfAnotherMajorVersion) {
  patchelf({"--replace-needed", "libcudart.so.12", "libcudart.so.11.0"}, lib("libtorch_cuda.so"));
  const Names rows = failed(root());
  EXPECT_NE(std::find(rows.begin(), rows.end(), "cuda-versions"), rows.end());
  EXPECT_EQ(first_detail("cuda-versions"),
            "lib/libtorch_cuda.so needs libcudart.so.11.0, which CUDA 12.4 does not have");
}

TEST_F(CheckCuda, TheDriverComesWithTheHost) {
  compile_shared(
      "extern \"C\" int cuInit(unsigned); extern \"C\" int start() { return cuInit(0); }\n",
      lib("libcaffe2_nvrtc.so"));
  EXPECT_EQ(failed(root()), Names{"undefined-symbols"}) << "it does not need the driver";
  patchelf({"--add-needed", "libcuda.so.1"}, lib("libcaffe2_nvrtc.so"));
  EXPECT_EQ(failed(root()), Names{});
}

TEST_F(CheckCuda, WithoutDepsTheHostHasNvrtc) {
  for (const auto& entry : fs::directory_iterator(root() / "lib")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("libcu") || name.starts_with("libnv") || name.starts_with("libhelper") ||
        name.starts_with("libgomp")) {
      fs::remove(entry.path());
    }
  }
  change_manifest([](Json& manifest) {
    manifest["deps"] = "without-deps";
    manifest["bundled"] = Json::array();
  });
  failed(root());
  EXPECT_EQ(first_detail("nvrtc"),
            "libnvrtc.so.12 must come from the host, but the manifest does not name it in "
            "host_libraries");
  change_manifest([](Json& manifest) {
    manifest["host_libraries"] =
        Json::array({{{"name", "libnvrtc.so.12"}, {"symbol_versions", Json::array()}}});
  });
  failed(root());
  EXPECT_EQ(verdict("nvrtc"), "pass") << first_detail("nvrtc");
  EXPECT_EQ(found("nvrtc"), "libnvrtc.so.12 of the host");
  EXPECT_EQ(verdict("gpu-architectures"), "pass") << first_detail("gpu-architectures");
}

}  // namespace
}  // namespace torchpkg::test
