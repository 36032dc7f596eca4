// SPDX-License-Identifier: BSD-3-Clause
// A static package for NVIDIA's GPUs: its device code is in the objects of libtorch_cuda.a.
#include "check_cuda_fixture.h"
#include "fat_binaries.h"
#include "sample_package.h"

namespace torchpkg::test {
namespace {

class CheckCudaStatic : public CheckTest {
 protected:
  void SetUp() override {
    static const TemporaryFolder good;
    static const fs::path package = make_static_sample_package(good.path());
    use(package);
    write_file(root() / "build-version", "2.6.0+cu124\n");
    const fs::path config = root() / "share/cmake/Torch/TorchConfig.cmake";
    write_file(config, file_content(config) + "set(MORE libc10_cuda.a libtorch_cuda.a)\n");
    change({set("/version", "2.6.0+cu124"), set("/backend", "cu124"), set("/backend_kind", "cuda"),
            set("/features/NCCL/enabled", true),
            set("/cuda", {{"version", "12.4"}, {"archs", Json::array({"9.0"})}})});
    add_library("libnvrtc.so.12", {"Cuda compilation tools, release 12.4, V12.4.127"});
    add_library("libnvrtc-builtins.so.12.4", {});
    add_object("one", {"sm_90"}, {"ncclDevKernel_", "NCCL version 2.21.5+cuda12.4"});
    compile("int device_count(void) { return 0; }\n", folder_ / "count.o", {"-c", "-fPIC"});
    archive("libc10_cuda.a", folder_ / "count.o");
  }

  void add_library(const std::string& name, const Names& texts) const {
    compile_shared(cuda_source(texts), root() / "lib" / name,
                   {"-Wl,--disable-new-dtags,-rpath,$ORIGIN"});
    change({list_bundled(name)});
  }

  void add_object(const std::string& name, const Names& archs, const Names& texts) const {
    const fs::path object = folder_ / (name + ".o");
    std::string source = source_with_section(object, ".nv_fatbin", fat_binary(archs));
    if (!texts.empty()) source += cuda_source(texts);
    compile(source, object, {"-c", "-fPIC"});
    archive("libtorch_cuda.a", object);
  }

  void archive(const std::string& name, const fs::path& object) const {
    must_run({"ar", "rcs", (root() / "lib" / name).string(), object.string()});
  }
};

TEST_F(CheckCudaStatic, AGoodOnePasses) {
  EXPECT_EQ(failed(root()), Names{}) << report_.dump(2);
  EXPECT_EQ(found("gpu-architectures"), "sm_90 in 1 libraries");
  EXPECT_EQ(found("nvrtc"), "libnvrtc.so.12 with libnvrtc-builtins.so.12.4");
  EXPECT_EQ(found("cuda-versions"), "CUDA 12.4 (3 places), NCCL 2.21.5 (1 places)");
}

TEST_F(CheckCudaStatic, FindsWhatIsBroken) {
  broken("no NVRTC", {drop("lib/libnvrtc.so.12")}, "bundled nvrtc",
         "libtorch opens libnvrtc.so.12, which is not inside");
  broken("no libtorch_cuda", {drop("lib/libtorch_cuda.a")}, "static-libraries gpu-architectures",
         "there is no libtorch_cuda.a with code for GPUs");
  broken("a missing library", {drop("lib/libtorch_cuda.a")}, "static-libraries gpu-architectures",
         "lib/libtorch_cuda.a is missing");
  broken("no libc10_cuda", {drop("lib/libc10_cuda.a")}, "static-libraries",
         "lib/libc10_cuda.a is missing");
  add_object("two", {"sm_80"}, {});
  expect_fault(
      "gpu-architectures",
      "lib/libtorch_cuda.a: 1 fat binaries lack sm_90 and have sm_80, which was not asked for "
      "(the first: two.o: byte 0 of .nv_fatbin)");
}

}  // namespace
}  // namespace torchpkg::test
