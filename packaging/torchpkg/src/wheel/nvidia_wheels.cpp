// SPDX-License-Identifier: BSD-3-Clause
#include "wheel/nvidia_wheels.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "common/text.h"
#include "wheel/metadata.h"

namespace torchpkg::wheel {

namespace {

/// Which wheel has which libraries, of CUDA 12.4 and 13.0.
struct Family {
  std::string_view library;  ///< what its name begins with, ".so" or what comes before it included
  std::string_view project;  ///< without the suffix
  std::string_view folder;   ///< below nvidia/, or a folder of site-packages
  bool toolkit;              ///< a part of the toolkit, which has moved with CUDA 13
};

constexpr std::array<Family, 22> kFamilies = {{
    {"libcublas.so", "nvidia-cublas", "cublas", true},
    {"libcublasLt.so", "nvidia-cublas", "cublas", true},
    {"libnvblas.so", "nvidia-cublas", "cublas", true},
    {"libcupti.so", "nvidia-cuda-cupti", "cuda_cupti", true},
    {"libnvrtc.so", "nvidia-cuda-nvrtc", "cuda_nvrtc", true},
    {"libnvrtc-builtins.so", "nvidia-cuda-nvrtc", "cuda_nvrtc", true},
    {"libcudart.so", "nvidia-cuda-runtime", "cuda_runtime", true},
    {"libcufft.so", "nvidia-cufft", "cufft", true},
    {"libcufftw.so", "nvidia-cufft", "cufft", true},
    {"libcufile.so", "nvidia-cufile", "cufile", true},
    {"libcufile_rdma.so", "nvidia-cufile", "cufile", true},
    {"libcurand.so", "nvidia-curand", "curand", true},
    {"libcusolver.so", "nvidia-cusolver", "cusolver", true},
    {"libcusolverMg.so", "nvidia-cusolver", "cusolver", true},
    {"libcusparse.so", "nvidia-cusparse", "cusparse", true},
    {"libnvJitLink.so", "nvidia-nvjitlink", "nvjitlink", true},
    {"libnvToolsExt.so", "nvidia-nvtx", "nvtx", true},
    {"libnvtx3interop.so", "nvidia-nvtx", "nvtx", true},
    {"libcudnn", "nvidia-cudnn", "cudnn", false},
    {"libcusparseLt.so", "nvidia-cusparselt", "", false},
    {"libnccl.so", "nvidia-nccl", "nccl", false},
    {"libnvshmem", "nvidia-nvshmem", "nvshmem", false},
}};

/// A requirement's project, as an index has it.
std::string project_in(std::string_view requirement) {
  const std::size_t end = requirement.find_first_of(" [](),;<>=!~@");
  return index_name_of(requirement.substr(0, end));
}

}  // namespace

std::optional<NvidiaWheel> nvidia_wheel_of(std::string_view library, std::string_view cuda_major) {
  for (const Family& family : kFamilies) {
    if (!library.starts_with(family.library)) continue;
    const bool moved = family.toolkit && compare_versions(cuda_major, "13") >= 0;
    NvidiaWheel wheel;
    wheel.project =
        fmt::format("{}{}", family.project, moved ? "" : fmt::format("-cu{}", cuda_major));
    wheel.folder = moved ? fmt::format("nvidia/cu{}/lib", cuda_major)
                         : fmt::format("nvidia/{}/lib", family.folder);
    if (family.folder.empty()) wheel.folder = "cusparselt/lib";
    return wheel;
  }
  return std::nullopt;
}

std::optional<std::string> required_version(std::string_view metadata, std::string_view project) {
  for (const std::string& requirement : metadata_values(metadata, "Requires-Dist")) {
    if (project_in(requirement) != project) continue;
    const std::string_view condition =
        std::string_view(requirement).substr(0, requirement.find(';'));
    const std::size_t equal = condition.find("==");
    if (equal == std::string_view::npos) return std::string();
    const std::string_view rest = trimmed(condition.substr(equal + 2));
    return std::string(rest.substr(0, rest.find_first_of(" ),")));
  }
  return std::nullopt;
}

std::string cuda_major_in(std::string_view metadata) {
  for (const std::string& requirement : metadata_values(metadata, "Requires-Dist")) {
    const std::string name = project_in(requirement);
    const std::size_t suffix = name.rfind("-cu");
    if (!name.starts_with("nvidia-") || suffix == std::string::npos) continue;
    const std::string digits = name.substr(suffix + 3);
    if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos)
      return digits;
  }
  return {};
}

}  // namespace torchpkg::wheel
