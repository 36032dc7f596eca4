// SPDX-License-Identifier: BSD-3-Clause
// A small wheel: CUDA's libraries are in wheels of NVIDIA's that METADATA asks for.
#include "check_cuda_fixture.h"
#include "check_wheel_fixture.h"
#include "fat_binaries.h"
#include "wheel/nvidia_wheels.h"

namespace torchpkg::test {
namespace {

constexpr const char* kCudaMetadata =
    "Metadata-Version: 2.4\nName: torch\nVersion: 2.6.0+cu124\nRequires-Dist: filelock\n"
    "Requires-Dist: nvidia-cuda-nvrtc-cu12 (==12.4.127) ; platform_system == \"Linux\"\n"
    "Requires-Dist: nvidia-cuda-runtime-cu12==12.4.127\n"
    "Requires-Dist: nvidia-cudnn-cu12==9.1.0.70\nRequires-Dist: nvidia-nccl-cu12==2.21.5\n\nText\n";

constexpr const char* kCudaRpath =
    "$ORIGIN/../../nvidia/cuda_nvrtc/lib:$ORIGIN/../../nvidia/cuda_runtime/lib:$ORIGIN/../../"
    "nvidia/cudnn/lib:$ORIGIN/../../nvidia/nccl/lib:$ORIGIN";

class CheckCudaWheel : public CheckWheel {
 protected:
  void SetUp() override {
    CheckWheel::SetUp();
    const fs::path cuda_info = site() / "torch-2.6.0+cu124.dist-info";
    fs::rename(info(), cuda_info);
    write_file(cuda_info / "METADATA", kCudaMetadata);
    write_file(torch() / "build-version", "2.6.0+cu124\n");
    write_file(torch() / "version.py",
               "from typing import Optional\ncuda: Optional[str] = '12.4'\n");
    const fs::path library = torch() / "lib/libtorch_cuda.so";
    compile_shared(
        source_with_section(library, ".nv_fatbin", fat_binary({"sm_90"}), cuda_source({})),
        library);
    fs::remove(library.string() + ".bin");
    for (const char* needed : {"libcudart.so.12", "libcudnn.so.9", "libnccl.so.2"}) {
      change({add_needed("torch/lib/libtorch_cuda.so", needed)});
    }
    change({set_rpath("torch/lib/libtorch_cuda.so", kCudaRpath),
            set_rpath("torch/lib/libtorch_cpu.so", kCudaRpath), set("/version", "2.6.0+cu124"),
            set("/backend", "cu124"), set("/backend_kind", "cuda"),
            set("/features/NCCL/enabled", true),
            set("/cuda", {{"version", "12.4"},
                          {"archs", Json::array({"9.0"})},
                          {"versions", {{"cudnn", "9.1.0"}, {"nccl", "2.21.5"}}}})});
  }

  static Change replace_metadata(const std::string& from, const std::string& to) {
    return replace("torch-2.6.0+cu124.dist-info/METADATA", from, to);
  }
};

TEST_F(CheckCudaWheel, AGoodOnePasses) {
  const fs::path wheel = pack_it();
  EXPECT_TRUE(contains(wheel.filename().string(), "manylinux_2_"))
      << wheel << ": what other wheels bring is as good as inside";
  EXPECT_EQ(failed(wheel), Names{}) << report_.dump(2);
  EXPECT_EQ(found("closure"), "all resolve; 3 in wheels that METADATA asks for");
  EXPECT_EQ(found("nvrtc"), "libnvrtc.so.12 of nvidia-cuda-nvrtc-cu12");
  EXPECT_EQ(found("cuda-versions"),
            "CUDA 12.4 (4 places), cuDNN 9.1.0 (2 places), NCCL 2.21.5 (2 places)");
}

TEST_F(CheckCudaWheel, FindsWhatIsBroken) {
  const std::vector<Change> no_requirements{
      replace_metadata("Requires-Dist: nvidia-cudnn-cu12==9.1.0.70\n", ""),
      replace_metadata("nvidia-cuda-nvrtc-cu12", "nvidia-cuda-nvrtc-cu11")};
  const Change lone_cpu = set_rpath("torch/lib/libtorch_cpu.so", "$ORIGIN");
  broken("a requirement that is missing", no_requirements, "closure nvrtc",
         "lib/libtorch_cuda.so needs libcudnn.so.9, which is missing");
  broken("one of what is opened", no_requirements, "closure nvrtc",
         "lib/libtorch_cpu.so opens libnvrtc.so.12, which is not reached by its RPATH");
  broken("an RPATH that does not lead there", {lone_cpu}, "nvrtc");
  broken("two of them", {lone_cpu, set_rpath("torch/lib/libtorch_cuda.so", "$ORIGIN")},
         "closure nvrtc");
}

TEST_F(CheckCudaWheel, VersionsThatDiffer) {
  change(
      {replace_metadata("nvidia-nccl-cu12==2.21.5", "nvidia-nccl-cu12==2.26.2"),
       replace_metadata("nvidia-cuda-runtime-cu12==12.4.127", "nvidia-cuda-runtime-cu12==12.6.77"),
       put("torch/version.py", "cuda = '12.1'\n")});
  EXPECT_EQ(failed(site()), Names{"cuda-versions"});
  const std::string report = report_.dump();
  for (const char* what : {"CUDA is 12.4 in the manifest, but 12.6.77 in METADATA",
                           "CUDA is 12.4 in the manifest, but 12.1 in version.py",
                           "NCCL is 2.21.5 in the headers, as the manifest says, but 2.26.2 in "
                           "METADATA"}) {
    EXPECT_TRUE(contains(report, what)) << what << report_.dump(2);
  }
}

TEST_F(CheckCudaWheel, WhichWheelHasALibrary) {
  const auto wheel_of = [](const char* library, const char* major) {
    const auto wheel = wheel::nvidia_wheel_of(library, major);
    return wheel ? wheel->project + " " + wheel->folder : "none";
  };
  EXPECT_EQ(wheel_of("libcublasLt.so.12", "12"), "nvidia-cublas-cu12 nvidia/cublas/lib");
  EXPECT_EQ(wheel_of("libcublasLt.so.13", "13"), "nvidia-cublas nvidia/cu13/lib");
  EXPECT_EQ(wheel_of("libcudnn_ops.so.9", "13"), "nvidia-cudnn-cu13 nvidia/cudnn/lib");
  EXPECT_EQ(wheel_of("libcusparseLt.so.0", "12"), "nvidia-cusparselt-cu12 cusparselt/lib");
  EXPECT_EQ(wheel_of("libcusparse.so.12", "12"), "nvidia-cusparse-cu12 nvidia/cusparse/lib");
  EXPECT_EQ(wheel_of("libcuda.so.1", "12"), "none");
  EXPECT_EQ(wheel::cuda_major_in(kCudaMetadata), "12");
  EXPECT_EQ(wheel::cuda_major_in("Name: x\nRequires-Dist: nvidia-cublas\n"), "");
  EXPECT_EQ(wheel::required_version(kCudaMetadata, "nvidia-cuda-nvrtc-cu12"), "12.4.127");
  EXPECT_EQ(wheel::required_version(kCudaMetadata, "filelock"), "");
  EXPECT_EQ(wheel::required_version(kCudaMetadata, "nvidia-cuda"), std::nullopt);
}

}  // namespace
}  // namespace torchpkg::test
