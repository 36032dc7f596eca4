// SPDX-License-Identifier: BSD-3-Clause
// `torchpkg check` of what is for GPUs in a conda package.
#include "check_conda_fixture.h"
#include "conda/known_packages.h"
#include "fat_binaries.h"
#include "sample_package.h"

namespace torchpkg::test {
namespace {

constexpr const char* kHeader = "include/ATen/cuda/CUDAConfig.h";

class CheckCondaCuda : public CondaPackageTest {
 protected:
  void SetUp() override {
    use_libtorch();
    make_cuda("12.4");
    put_torch_cuda({"sm_80", "sm_90", "compute_90"});
    put(file(kHeader,
             "#define NVCC_FLAGS_EXTRA \"-gencode;arch=compute_80,code=sm_80;-gencode;"
             "arch=compute_90,code=sm_90;-gencode;arch=compute_90,code=compute_90\"\n"));
    depend_on(depends_);
  }

  void put_version(const std::string& backend) {
    manifest["version"] = "2.6.0+" + backend;
    manifest["backend"] = backend;
    manifest["backend_kind"] = backend == "cpu" ? "cpu" : "cuda";
    put_manifest();
    put(file(home + "build-version", "2.6.0+" + backend + "\n"));
  }

  void make_cuda(const std::string& version) {
    manifest["features"]["NCCL"] = {{"enabled", true}};
    manifest["cuda"] = {{"version", version},
                        {"archs", {"8.0", "9.0+PTX"}},
                        {"versions",
                         {{"cudnn", "9.1.0.70"},
                          {"cublas", "12.4.5.8"},
                          {"cudart", "12.4.127"},
                          {"nccl", "2.21.5"}}}};
    put_version(version == "12.4" ? "cu124" : "cu118");
  }

  /// With a text among its constants, and with one fat binary when `archs` says for what.
  void put_library(const std::string& path, const std::string& text, const Words& archs = {}) {
    const fs::path made = folder_ / "made.so";
    const std::string constant =
        "__attribute__((used)) static const char text[] = \"" + text + "\";\n";
    compile(archs.empty() ? constant
                          : source_with_section(made, ".nv_fatbin", fat_binary(archs), constant),
            made, {"-shared", "-fPIC", "-nostdlib", "-Wl,--build-id=none"});
    put(file(path, file_content(made)));
  }

  void put_torch_cuda(const Words& archs) {
    put_library("lib/libtorch_cuda.so", "NCCL version 2.21.5+cuda12.4 ncclDevKernel_Generic",
                archs);
  }

  /// Makes it a package for one Python, which has what `put_library` gave it besides.
  void make_pytorch() {
    use_pytorch();
    make_cuda("12.4");
    put(file(home + "version.py", "__version__ = '2.6.0'\ncuda = '12.4'\n"));
    put_library(home + "lib/libtorch_python.so", "");
    depends_.emplace_back("libtorch 2.6.0 cuda124_mkl_h0123456_0");
    depend_on(depends_);
  }

  void replace_spec(const std::string& old, const Words& with) {
    Words specs;
    for (const std::string& spec : depends_) {
      if (spec != old) specs.push_back(spec);
    }
    ASSERT_NE(specs.size(), depends_.size()) << old;
    specs.insert(specs.end(), with.begin(), with.end());
    depend_on(specs);
  }

  Words depends_{"__glibc >=99",
                 "libgcc >=99",
                 "libstdcxx >=99",
                 "_openmp_mutex",
                 "__cuda >=12",
                 "cuda-version >=12.4,<13.0a0",
                 "cuda-cudart >=12.4.127,<13.0a0",
                 "cuda-nvrtc >=12.4.127,<13.0a0",
                 "libcublas >=12.4.5.8,<13.0a0",
                 "cudnn >=9.1.0.70,<10.0a0",
                 "nccl >=2.21.5,<3.0a0"};
};

TEST_F(CheckCondaCuda, PassesAGoodOne) {
  const CommandResult result = check();
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(row("gpu-architectures").at("found"), "sm_80 sm_90 compute_90 in 1 libraries");
  EXPECT_EQ(row("nvrtc").at("found"), "libnvrtc.so.12 of cuda-nvrtc");
  EXPECT_EQ(row("cuda-versions").at("found"),
            "CUDA 12.4 (1 places), cuDNN 9.1.0.70 (1 places), NCCL 2.21.5 (2 places)");
  EXPECT_EQ(row("cuda-depends").at("found"),
            "__cuda 12, cuda-version 12.4, cuda-cudart 12.4.127, libcublas 12.4.5.8, "
            "cudnn 9.1.0.70, nccl 2.21.5");
}

TEST_F(CheckCondaCuda, OtherArchitectures) {
  put_torch_cuda({"sm_80", "compute_90"});
  expect_found_in("gpu-architectures", "lib/libtorch_cuda.so: 1 fat binaries lack sm_90");
  put_torch_cuda({"sm_70", "sm_80", "sm_90", "compute_90"});
  expect_found_in("gpu-architectures", "have sm_70, which was not asked for");
  remove("lib/libtorch_cuda.so");
  expect_found_in("gpu-architectures", "there is no libtorch_cuda.so with code for GPUs");
}

TEST_F(CheckCondaCuda, HeaderSaysOthers) {
  put(file(kHeader, "#define NVCC_FLAGS_EXTRA \"-gencode;arch=compute_80,code=sm_80\"\n"));
  expect_found_in("gpu-architectures", "says sm_80, the manifest sm_80 sm_90 compute_90");
}

TEST_F(CheckCondaCuda, OtherVersions) {
  manifest["cuda"]["versions"]["nccl"] = "2.29.7";
  put_manifest();
  replace_spec("nccl >=2.21.5,<3.0a0", {"nccl >=2.29.7,<3.0a0"});
  expect_found_in("cuda-versions",
                  "NCCL is 2.29.7 in the headers, as the manifest says, but 2.21.5 in "
                  "lib/libtorch_cuda.so");
}

TEST_F(CheckCondaCuda, Nvrtc) {
  replace_spec("cuda-nvrtc >=12.4.127,<13.0a0", {});
  expect_found_in("nvrtc",
                  "libtorch opens libnvrtc.so.12 of the package cuda-nvrtc or cudatoolkit, which "
                  "depends does not name");
}

TEST_F(CheckCondaCuda, NothingAsksForADriver) {
  replace_spec("__cuda >=12", {});
  expect_found_in("cuda-depends",
                  "depends does not name __cuda, by which a driver for CUDA 12 is asked for");
  replace_spec("__cuda >=12", {"__cuda >=11"});
  expect_found_in("cuda-depends",
                  "depends has '__cuda >=11', which is not from 12 on, the version that libtorch "
                  "was compiled with");
  // Code that is compressed for size needs a newer one.
  replace_spec("__cuda >=12", {"__cuda >=12.4"});
  EXPECT_EQ(row("cuda-depends").at("verdict"), "pass");
}

TEST_F(CheckCondaCuda, OlderLibrariesAreAllowed) {
  replace_spec("cudnn >=9.1.0.70,<10.0a0", {"cudnn >=8.9,<9.0a0"});
  expect_found_in("cuda-depends",
                  "depends has 'cudnn >=8.9,<9.0a0', which is not from 9.1.0.70 on");
  replace_spec("cuda-version >=12.4,<13.0a0", {"cuda-version"});
  expect_found_in("cuda-depends", "depends has 'cuda-version', which is not from 12.4 on");
}

TEST_F(CheckCondaCuda, PackagesOfAnotherCuda) {
  replace_spec("cuda-cudart >=12.4.127,<13.0a0", {"cudatoolkit >=12.4,<13.0a0"});
  expect_found_in("cuda-depends", "depends names cudatoolkit, which has CUDA 11 and older only");
  make_cuda("11.8");
  put_library("lib/libtorch_cuda.so", "NCCL version 2.21.5+cuda11.8 ncclDevKernel_",
              {"sm_80", "sm_90", "compute_90"});
  Words specs = kHost;
  specs.insert(specs.end(),
               {"__cuda >=11", "cuda-version >=11.8,<12.0a0", "cudnn >=9.1.0.70,<10.0a0",
                "nccl >=2.21.5,<3.0a0", "cudatoolkit >=11.8,<12.0a0"});
  depend_on(specs);
  EXPECT_EQ(check().exit_code, 0) << check().output;
  EXPECT_EQ(row("nvrtc").at("found"), "libnvrtc.so.11.2 of cudatoolkit");
  specs.back() = "cuda-nvrtc >=11.8,<12.0a0";
  depend_on(specs);
  expect_found_in("cuda-depends", "depends names cuda-nvrtc, which has CUDA 12 and newer only");
}

TEST_F(CheckCondaCuda, PytorchLeavesTheCodeToLibtorch) {
  make_pytorch();
  EXPECT_EQ(check().exit_code, 0) << check().output;
  EXPECT_EQ(row("gpu-architectures").at("found"), "libtorch_cpu is in the package libtorch");
  EXPECT_EQ(row("nvrtc").at("found"), "libtorch_cpu is in the package libtorch");
  put_library(home + "lib/libtorch_python.so", "", {"sm_70"});
  expect_found_in("gpu-architectures", "have sm_70, which was not asked for");
  put_library(home + "lib/libtorch_python.so", "");
  put(file(home + "version.py", "cuda = '12.6'\n"));
  expect_found_in("cuda-versions", "CUDA is 12.4 in the manifest, but 12.6 in version.py");
}

TEST_F(CheckCondaCuda, CpuPackages) {
  manifest.erase("cuda");
  put_version("cpu");
  depend_on(kHost);
  expect_found_in("gpu-code", "lib/libtorch_cuda.so has code for GPUs: .nv_fatbin");
  put_library("lib/libtorch_cuda.so", "");
  EXPECT_EQ(check().exit_code, 0) << check().output;
  EXPECT_EQ(row("cuda-depends").at("found"), "the backend is cpu");
  Words specs = kHost;
  specs.emplace_back("__cuda");
  depend_on(specs);
  expect_found_in("cuda-depends", "depends names __cuda, but the backend of the manifest is cpu");
}

TEST_F(CheckCondaCuda, NotDecidedWithoutAnIndex) {
  info["index.json"] = "";
  EXPECT_EQ(row("cuda-depends").at("found"), "index.json is missing or wrong");
}

TEST_F(CheckCondaCuda, KnownPackages) {
  EXPECT_EQ(conda::cuda_package("libcublas")->version, "cublas");
  EXPECT_TRUE(conda::cuda_package("libcublas")->since_12);
  EXPECT_FALSE(conda::cuda_package("libcudnn")->since_12);
  EXPECT_TRUE(conda::cuda_package("cudatoolkit")->until_11);
  EXPECT_FALSE(conda::cuda_package("libtorch"));
  // libcusolver, libcurand and libnvToolsExt have the same names in CUDA 11 and 12.
  const auto packages = conda::host_packages(
      {}, {"libcudart.so.11.0", "libcusolver.so.11", "libcudnn.so.9", "libnccl.so.2"});
  EXPECT_EQ(Words(packages.begin() + 3, packages.end()), (Words{"cudatoolkit", "cudnn", "nccl"}));
}

}  // namespace
}  // namespace torchpkg::test
