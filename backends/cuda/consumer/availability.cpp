// SPDX-License-Identifier: BSD-3-Clause
//
// A CUDA package on whatever machine this is: its versions, what it says without a GPU, and which
// GPU there is. Then, with a GPU, all other checks.
#include <ATen/detail/CUDAHooksInterface.h>
#include <dlfcn.h>
#include <torch/cuda.h>

#include <cctype>
#include <cstdio>
#include <sstream>
#include <utility>

#include "checks.h"

namespace {

// "  - Magma 2.9.0" in the text gives "2.9.0".
std::string after(const std::string& text, const std::string& label) {
  const auto begin = text.find("- " + label + " ");
  if (begin == std::string::npos) {
    return "";
  }
  const auto value = begin + label.size() + 3;
  return text.substr(value, text.find_first_of(" \n", value) - value);
}

// 12040 gives "12.4".
std::string cudart_version(long number) {
  return std::to_string(number / 1000) + "." + std::to_string(number / 10 % 100);
}

// What a program can see of a version is its beginning: 12.4 of 12.4.131, 2.29.7 of 2.29.7-1.
bool begins(const std::string& whole, const std::string& part) {
  return !part.empty() && whole.rfind(part, 0) == 0 &&
         (whole.size() == part.size() ||
          std::isdigit(static_cast<unsigned char>(whole[part.size()])) == 0);
}

constexpr const char* kNeedsDriver =
    "this release does not say it on a machine without NVIDIA's driver";

// What CUDA's part of libtorch says about itself. Newer releases ask the runtime, which has no
// answer without a driver: nothing then.
std::string configuration(const at::CUDAHooksInterface& hooks, bool driver) {
  try {
    return hooks.showConfig();
  } catch (const c10::Error&) {
    if (driver) throw;
    return "";
  }
}

void check_versions(Report& report, const Expectations& expected, bool driver) {
  const auto& hooks = at::detail::getCUDAHooks();
  const std::string config = configuration(hooks, driver);
  std::istringstream lines(config);
  for (std::string line; std::getline(lines, line);) {
    std::printf("   %s\n", line.c_str());
  }
  std::map<std::string, std::string> found = {
      {"cuda-toolkit", cudart_version(hooks.versionCUDART())}};
  if (config.empty()) {
    report.skip("cuda::as_built", kNeedsDriver);
  } else {
    report.add("cuda::runtime_as_built",
               config.find("Built with CUDA Runtime") == std::string::npos,
               after(config, "CUDA Runtime"), "CUDA " + found["cuda-toolkit"]);
  }
  if (hooks.hasCuDNN()) {
    found["cudnn"] = cudnn_version_of_library();
    const std::string other = after(config, "Built with CuDNN");
    if (!config.empty()) {
      report.add("cuda::cudnn_as_built", other.empty(), "cuDNN " + after(config, "CuDNN"),
                 other.empty() ? "" : "cuDNN " + other);
    }
  }
  if (hooks.hasMAGMA()) {
    found["magma"] = after(config, "Magma");
  }
  if (!nccl_version_of_header().empty()) {
    found["nccl"] = nccl_version_of_header();
    report.equal("cuda::nccl_as_built", nccl_version_of_library(), found["nccl"]);
  }
  const auto distributed = expected.features.find("DISTRIBUTED");
  for (const auto& [name, version] : expected.versions) {
    if (name == "nccl" && distributed != expected.features.end() && !distributed->second) {
      report.skip("cuda::version_of_nccl", "without torch.distributed a program cannot ask for it");
      continue;
    }
    if (name == "magma" && config.empty()) {
      report.skip("cuda::version_of_magma", kNeedsDriver);
      continue;
    }
    report.add("cuda::version_of_" + name, begins(version, found[name]),
               found[name].empty() ? "none" : found[name], version);
  }
}

// The driver's own interface: libtorch's asks for CUDA's headers. Its functions take and return int
// and pointers.
class Driver {
 public:
  Driver() : library_(dlopen("libcuda.so.1", RTLD_LAZY)) {}
  bool there() const { return library_ != nullptr; }

  template <typename... Arguments>
  bool call(const char* function, Arguments... arguments) const {
    const auto pointer = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, function));
    return pointer != nullptr && pointer(arguments...) == 0;
  }
  int attribute(int device, int which) const {
    int value = 0;
    call("cuDeviceGetAttribute", &value, which, device);
    return value;
  }

 private:
  void* library_;
};

Gpu describe_devices(Report& report, const Driver& driver, int count) {
  Gpu first;
  int version = 0;
  driver.call("cuDriverGetVersion", &version);
  for (int index = 0; index < count; ++index) {
    char name[256] = "";
    size_t memory = 0;
    int device = 0;
    const bool known =
        driver.call("cuInit", 0U) && driver.call("cuDeviceGet", &device, index) &&
        driver.call("cuDeviceGetName", name, static_cast<int>(sizeof name), device) &&
        driver.call("cuDeviceTotalMem_v2", &memory, device);
    // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR, MULTIPROCESSOR_COUNT
    const int capability = 10 * driver.attribute(device, 75) + driver.attribute(device, 76);
    std::ostringstream text;
    text << name << ", compute capability " << capability / 10 << "." << capability % 10 << ", "
         << driver.attribute(device, 16) << " multiprocessors, " << (memory >> 20)
         << " MiB, driver for CUDA " << cudart_version(version);
    report.add("cuda::device_" + std::to_string(index), known && capability > 0 && memory > 0,
               text.str(), "what the driver says about it");
    if (index == 0) {
      first = {name, capability};
    }
  }
  return first;
}

void check_without_device(Report& report, bool driver) {
  report.equal("cuda::is_available", torch::cuda::is_available(), false);
  report.equal("cuda::has_cudnn_for_use", torch::cuda::cudnn_is_available(), false);
  std::string message = "no exception";
  try {
    at::ones({2}, at::kCUDA);
  } catch (const c10::Error& error) {
    message = error.what_without_backtrace();
  }
  const std::string none = "Found no NVIDIA driver on your system";
  report.add("cuda::tensor_without_device",
             driver ? message.find("No CUDA GPUs are available") != std::string::npos ||
                          message.find("driver") != std::string::npos
                    : message.find(none) != std::string::npos,
             message, driver ? "an exception that names GPU or driver" : none);
  at::manual_seed(7);  // seeds every device there is
  const at::Tensor left = at::rand({3, 3});
  report.add("cuda::cpu_works_on", at::allclose(left.mm(at::eye(3)), left), "a product on the CPU",
             "as without CUDA");
}

}  // namespace

bool is_there(Report& report, const Expectations& expected, const std::string& name,
              const std::string& feature, bool there, const std::string& why) {
  if (there) {
    return true;
  }
  const auto claimed = expected.features.find(feature);
  if (claimed != expected.features.end() && claimed->second) {
    report.add(name, false, "nothing to check: " + why, "the package says that it has " + feature);
  } else {
    report.skip(name, why);
  }
  return false;
}

double distance(const at::Tensor& found, const at::Tensor& expected) {
  const at::Tensor reference = expected.to(at::kCPU, at::kDouble);
  const double scale = reference.abs().max().item<double>();
  return (found.to(at::kCPU, at::kDouble) - reference).abs().max().item<double>() /
         (scale == 0 ? 1 : scale);
}

void check_gpu(Report& report, const Expectations& expected) {
  const Driver driver;
  report.topic("cuda::versions", [&] { check_versions(report, expected, driver.there()); });
  const int count = static_cast<int>(torch::cuda::device_count());
  const std::string at_least = "at least " + std::to_string(expected.gpus);
  report.add("cuda::devices", count >= expected.gpus, std::to_string(count), at_least);
  Gpu gpu;
  if (count > 0) {
    report.topic("cuda::device", [&] { gpu = describe_devices(report, driver, count); });
  }
  report.topic("cuda::nvrtc", [&] { check_nvrtc(report, gpu.capability); });

  std::string missing;
  if (count == 0) {
    report.topic("cuda::no_device", [&] { check_without_device(report, driver.there()); });
    missing = driver.there() ? "this machine has a driver, but no GPU that can be used"
                             : "this machine has no NVIDIA driver";
  } else {
    const std::string flags = at::detail::getCUDAHooks().showConfig();
    if (!has_code_for(flags, gpu.capability) ||
        !is_cut_to(expected.architectures, gpu.capability)) {
      missing = "the package has no code for " + gpu.name;
      if (expected.gpus > 0) {
        report.add("cuda::architectures", false, missing, "code for this GPU");
      }
    }
  }
  const std::vector<std::pair<std::string, std::function<void()>>> topics = {
      {"cuda::matrices", [&] { check_cuda_matrices(report); }},
      {"cuda::linear_algebra", [&] { check_cuda_linear_algebra(report, expected); }},
      {"cuda::libraries", [&] { check_cuda_libraries(report, expected); }},
      {"cuda::attention", [&] { check_cuda_attention(report, expected, gpu); }},
      {"cuda::kernels_at_run_time", [&] { check_cuda_kernels_at_run_time(report); }},
      {"cuda::execution", [&] { check_cuda_execution(report); }},
      {"cuda::collectives", [&] { check_cuda_collectives(report, expected); }},
      {"cuda::errors", [&] { check_cuda_errors(report); }},
  };
  for (const auto& [name, checks] : topics) {
    if (missing.empty()) {
      report.topic(name, checks);
    } else {
      report.skip(name, missing);
    }
  }
}
