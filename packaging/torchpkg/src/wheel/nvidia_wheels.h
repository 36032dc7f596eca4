// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace torchpkg::wheel {

/// A wheel of NVIDIA's that has a library of CUDA.
struct NvidiaWheel {
  std::string project;  ///< "nvidia-cublas-cu12"
  std::string folder;   ///< in site-packages: "nvidia/cublas/lib"
};

/// The wheel that has a library ("libcublas.so.12"), for a major version of CUDA ("12"); nothing
/// when none of them has it. From CUDA 13 on the toolkit's libraries share one folder and the
/// projects have no suffix.
std::optional<NvidiaWheel> nvidia_wheel_of(std::string_view library, std::string_view cuda_major);

/// The version that METADATA asks for of a project ("12.4.127", of `==12.4.127`), under whatever
/// condition; an empty one when it names none or a range. Nothing when it does not ask for the
/// project.
std::optional<std::string> required_version(std::string_view metadata, std::string_view project);

/// The major version of CUDA that NVIDIA's wheels in METADATA are for ("12"), by the suffix of
/// the first that has one; empty without any.
std::string cuda_major_in(std::string_view metadata);

}  // namespace torchpkg::wheel
