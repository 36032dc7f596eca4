// SPDX-License-Identifier: BSD-3-Clause
// What backends/*/libraries.json say is what torchpkg knows.
#include <gtest/gtest.h>

#include "backend/libraries.h"
#include "check/lookup.h"
#include "elf/known_libraries.h"

namespace torchpkg {
namespace {

TEST(BackendLibraries, AreKnownByTheirFiles) {
  for (const auto& [file, name] :
       {std::pair{"libcublas.so.12", "cublas"}, std::pair{"libcublasLt.so", "cublas"},
        std::pair{"libcudnn.so.9", "cudnn"}, std::pair{"libcudnn_ops.so.9.1.0", "cudnn"},
        std::pair{"libnvrtc-builtins.so.12.4", "nvrtc"}, std::pair{"libcusparse.so.12", "cusparse"},
        std::pair{"libcusparseLt.so.0", "cusparselt"}, std::pair{"libcudart_static.a", "cudart"},
        std::pair{"libcudadevrt.a", "cudart"}, std::pair{"libnvshmem_device.a", "nvshmem"},
        std::pair{"libnvshmem_host.so.3", "nvshmem"}, std::pair{"libcufftw.so.11", "cufft"}}) {
    const backend::Library* library = backend::library_of(file);
    ASSERT_NE(library, nullptr) << file;
    EXPECT_EQ(library->name, name);
  }
  EXPECT_EQ(backend::library_of("libcublas.so.12")->backend, "cuda");
  EXPECT_EQ(backend::library_of("libcudart.so.13")->backend,
            "cuda");  // official-cpu has it as well
  EXPECT_EQ(backend::library_of("libamdhip64.so.6")->backend, "rocm");
  EXPECT_EQ(backend::library_of("libcufile.so.0")->feature, "CUFILE");
  for (const char* file :
       {"libcuda.so.1", "libcublasXt.so.12", "libtorch_cuda.so", "libtorch_cuda.a", "cublas.so"}) {
    EXPECT_EQ(backend::library_of(file), nullptr) << file;
  }
}

TEST(BackendLibraries, OfOtherWheelsWhereTheRpathLeads) {
  Facts wheel;
  wheel.kind = Facts::Kind::kWheel;
  ElfFacts elf;
  elf.path = "torch/lib/libtorch_cuda.so";
  for (const auto& [library, folder, there] :
       {std::tuple{"libcublas.so.12", "nvidia/cublas/lib", true},
        std::tuple{"libcublas.so.13", "nvidia/cu13/lib", true},
        std::tuple{"libcusparseLt.so.0", "cusparselt/lib", true},
        std::tuple{"libcusparseLt.so.0", "nvidia/cusparselt/lib", true},
        std::tuple{"libcusparseLt.so.0", "nvidia/cublas/lib", false},
        std::tuple{"libcudnn.so.9", "nvidia/cu13/lib", false},
        std::tuple{"libhelper.so.1", "nvidia/cublas/lib", false}}) {
    elf.dynamic.rpath = std::string("$ORIGIN/../../") + folder + ":$ORIGIN";
    EXPECT_EQ(comes_from_elsewhere(wheel, elf, library), there) << library << " in " << folder;
  }
}

TEST(BackendLibraries, OfTheDriverAreTheHosts) {
  EXPECT_TRUE(is_driver_library("libcuda.so.1"));
  EXPECT_FALSE(is_driver_library("libcudart.so.12"));
  EXPECT_TRUE(is_on_every_host("libnvidia-ml.so.1"));
}

}  // namespace
}  // namespace torchpkg
