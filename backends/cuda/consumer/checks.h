// SPDX-License-Identifier: BSD-3-Clause
//
// What the checks of a CUDA package have in common. They are compiled only when the package has
// libtorch_cuda.
#pragma once

#include <ATen/ATen.h>

#include <string>
#include <vector>

#include "report.h"

// The first device, as the driver describes it.
struct Gpu {
  std::string name;
  int capability = 0;  // 90: compute capability 9.0
};

// For a part of libtorch that can be left out when it is built. True: go on. False: a row says why
// there is nothing to check; it is a failure when the package claims to have the feature.
bool is_there(Report& report, const Expectations& expected, const std::string& name,
              const std::string& feature, bool there, const std::string& why);

// The largest difference, against the largest number that is expected.
double distance(const at::Tensor& found, const at::Tensor& expected);

// Topics of the program, each with a GPU at hand.
void check_cuda_matrices(Report& report);
void check_cuda_libraries(Report& report, const Expectations& expected);
void check_cuda_attention(Report& report, const Expectations& expected, const Gpu& gpu);
void check_cuda_linear_algebra(Report& report, const Expectations& expected);
void check_cuda_kernels_at_run_time(Report& report);
void check_cuda_execution(Report& report);
void check_cuda_errors(Report& report);
void check_cuda_collectives(Report& report, const Expectations& expected);

// What the package has code for: as it was compiled, and as it was cut afterwards.
bool has_code_for(const std::string& flags, int capability);
bool is_cut_to(const std::vector<std::string>& archs, int capability);
// NVRTC compiles without a GPU, too.
void check_nvrtc(Report& report, int capability);
// "2.21.5", of the header, and of the library; empty without NCCL.
std::string cudnn_version_of_library();
std::string nccl_version_of_header();
std::string nccl_version_of_library();
