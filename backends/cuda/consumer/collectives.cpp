// SPDX-License-Identifier: BSD-3-Clause
//
// Several GPUs: copies between them, and NCCL, which one GPU is enough for. torch/csrc/cuda/nccl.h
// has NCCL's functions without NCCL's own header; the header of ProcessGroupNCCL would need it.
#ifdef USE_C10D_NCCL
#include <torch/csrc/cuda/nccl.h>

// torch/csrc/distributed/c10d/NCCLUtils.hpp, which needs nccl.h
namespace c10d {
std::string getNcclVersion();
}
#endif
#include <torch/cuda.h>

#include "checks.h"

#ifdef USE_C10D_NCCL

namespace {

namespace nccl = torch::cuda::nccl;

// Rank r has the numbers r + 1, r + 2, ...; in the sum over n ranks number i is n i + n (n + 1)
// / 2.
void check_ranks(Report& report, int ranks) {
  const std::string suffix = "::" + std::to_string(ranks) + (ranks == 1 ? "_gpu" : "_gpus");
  for (const auto type : {at::kFloat, at::kHalf, at::kLong}) {
    std::vector<at::Tensor> inputs;
    std::vector<at::Tensor> sums;
    for (int rank = 0; rank < ranks; ++rank) {
      const auto device = at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(rank));
      inputs.push_back((at::arange(100, at::kLong) + rank + 1).to(device, type));
      sums.push_back(at::zeros_like(inputs.back()));
    }
    nccl::all_reduce(inputs, sums);
    double worst = 0;
    for (const at::Tensor& sum : sums) {
      worst = std::max(worst,
                       distance(sum, ranks * at::arange(100, at::kLong) + ranks * (ranks + 1) / 2));
    }
    report.at_most("cuda::nccl::all_reduce::" + std::string(c10::toString(type)) + suffix, worst,
                   0);

    std::vector<at::Tensor> all;
    for (const at::Tensor& input : inputs) {
      all.push_back(at::zeros({100 * ranks}, input.options()));
    }
    nccl::all_gather(inputs, all);
    std::vector<at::Tensor> parts;
    for (const at::Tensor& input : inputs) {
      parts.push_back(input.cpu());
    }
    worst = 0;
    for (const at::Tensor& one : all) {
      worst = std::max(worst, distance(one, at::cat(parts)));
    }
    report.at_most("cuda::nccl::all_gather::" + std::string(c10::toString(type)) + suffix, worst,
                   0);
  }
}

std::string dotted(std::uint64_t version) {
  return std::to_string(version >> 32) + "." + std::to_string(version >> 16 & 0xffff) + "." +
         std::to_string(version & 0xffff);
}

}  // namespace

std::string nccl_version_of_header() { return dotted(nccl::version()); }
std::string nccl_version_of_library() {
  // It may have more parts than three, which the header's has not.
  const std::string text = c10d::getNcclVersion();
  const auto first = text.find('.');
  const auto second = text.find('.', first + 1);
  return text.substr(0, text.find('.', second + 1));
}

#else

namespace {
void check_ranks(Report&, int) {}
}  // namespace

std::string nccl_version_of_header() { return ""; }
std::string nccl_version_of_library() { return ""; }

#endif

void check_cuda_collectives(Report& report, const Expectations& expected) {
  const int gpus = static_cast<int>(torch::cuda::device_count());
  if (gpus < 2) {
    report.skip("cuda::copy_between_devices", "this machine has one GPU");
  } else {
    const at::Tensor x = at::randn({1000}, at::Device(at::kCUDA, 0));
    report.at_most("cuda::copy_between_devices", distance(x.to(at::Device(at::kCUDA, 1)), x), 0);
  }
  if (!is_there(report, expected, "cuda::nccl", "NCCL", !nccl_version_of_header().empty(),
                "built without NCCL")) {
    return;
  }
  report.topic("cuda::nccl::one_gpu", [&] { check_ranks(report, 1); });
  if (gpus < 2) {
    report.skip("cuda::nccl::two_gpus", "this machine has one GPU");
  } else {
    report.topic("cuda::nccl::two_gpus", [&] { check_ranks(report, 2); });
  }
  if (gpus > 2) {
    report.topic("cuda::nccl::all_gpus", [&] { check_ranks(report, gpus); });
  }
}
