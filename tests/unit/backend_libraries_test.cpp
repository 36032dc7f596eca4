// SPDX-License-Identifier: BSD-3-Clause
// What backends/*/libraries.json say is what torchpkg knows.
#include <gtest/gtest.h>

#include <algorithm>

#include "backend/libraries.h"
#include "conda/known_packages.h"
#include "elf/known_libraries.h"
#include "wheel/nvidia_wheels.h"

namespace torchpkg {
namespace {

TEST(BackendLibraries, AreKnownByTheirFiles) {
  for (const auto& [file, name] :
       {std::pair{"libcublas.so.12", "cublas"}, std::pair{"libcublasLt.so", "cublas"},
        std::pair{"libcudnn.so.9", "cudnn"}, std::pair{"libcudnn_ops.so.9.1.0", "cudnn"},
        std::pair{"libnvrtc-builtins.so.12.4", "nvrtc"}, std::pair{"libcusparse.so.12", "cusparse"},
        std::pair{"libcusparseLt.so.0", "cusparselt"}, std::pair{"libcufile_rdma.so.1", "cufile"},
        std::pair{"libnvshmem_host.so.3", "nvshmem"}, std::pair{"libcufftw.so.11", "cufft"}}) {
    const backend::Library* library = backend::library_of(file);
    ASSERT_NE(library, nullptr) << file;
    EXPECT_EQ(library->name, name);
  }
  for (const char* file : {"libcuda.so.1", "libcublasXt.so.12", "libtorch_cuda.so", "cublas.so"}) {
    EXPECT_EQ(backend::library_of(file), nullptr) << file;
  }
}

TEST(BackendLibraries, OfTheDriverAreTheHosts) {
  EXPECT_TRUE(is_driver_library("libcuda.so.1"));
  EXPECT_FALSE(is_driver_library("libcudart.so.12"));
  EXPECT_TRUE(is_on_every_host("libnvidia-ml.so.1"));
}

TEST(BackendLibraries, HaveTheWheelsThatAreNamed) {
  for (const backend::Library& library : backend::libraries()) {
    std::string file = library.files.front() + ".so";
    std::erase(file, '*');
    if (library.wheel_project.empty()) {
      EXPECT_FALSE(wheel::nvidia_wheel_of(file, "12")) << file;
      continue;
    }
    ASSERT_TRUE(wheel::nvidia_wheel_of(file, "12")) << file;
    EXPECT_TRUE(wheel::nvidia_wheel_of(file, "12")->project.ends_with("-cu12"));
    const bool moved = !library.wheels_moved_in.empty();
    EXPECT_EQ(wheel::nvidia_wheel_of(file, "13")->folder == "nvidia/cu13/lib", moved) << file;
  }
}

TEST(BackendLibraries, HaveTheCondaPackagesThatDependsNames) {
  EXPECT_EQ(conda::origin_of("libcufile.so.0").packages,
            (std::vector<std::string>{"libcufile", "cudatoolkit"}));
  EXPECT_EQ(conda::cuda_package("libcufile")->version, "cufile");
  EXPECT_TRUE(conda::origin_of("libnvshmem_host.so.3").packages.empty());
}

}  // namespace
}  // namespace torchpkg
