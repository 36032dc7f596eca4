// SPDX-License-Identifier: BSD-3-Clause
// What decides at run time whether a library can be loaded, and what it loads itself.
#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>

#include "checks/checks.h"
#include "common/text.h"
#include "elf/known_libraries.h"
#include "package/elf_lookup.h"

namespace torchpkg {

namespace {

/// Libraries that are opened by name and that nobody misses when they are not there. libgomp's:
/// https://gcc.gnu.org/onlinedocs/libgomp/Memory-allocation.html
constexpr std::array<const char*, 27> kOptional = {
    "libneuralnetworks.so",          // Android's
    "libmemkind.so*",                // MKL, OpenMP runtimes: memory of another kind
    "libnuma.so*",                   // libgomp of gcc 14 and newer: memory of a NUMA node
    "libarcher.so*",                 // libomp: a tool that finds data races
    "libompd.so*",                   // libomp: for debuggers
    "libittnotify*.so*",             // Intel's profilers
    "libibverbs.so*",                // TensorPipe: InfiniBand, where the machine has it
    "libmkl_*.so*",                  // MKL's parts; linked statically, they are inside
    "libtbb*.so*",                   // MKL, when a program asks for TBB
    "libiomp5.so",                   // MKL, when a program asks for Intel's OpenMP
    "libvulkan.so*",                 // the loader of Vulkan
    "libgdrapi.so*",                 // NCCL: copying without the CPU, where the machine has it
    "libnccl-*.so*",                 // NCCL's plugins for networks and tuning
    "libmlx5.so*",                   // NCCL: InfiniBand
    "libcuda.so",                    // besides libcuda.so.1, which the driver has
    "libnvidia-*.so*",               // CUPTI: parts of the driver
    "lib*GL*.so*",                   // CUPTI looks whether the process has loaded these
    "libOpenCL.so*",                 // the same
    "libX11.so*",                    // the same
    "libnvperf_host.so*",            // CUPTI: counters, which Kineto does not ask for
    "libnvvm.so*",                   // nvJitLink: linking of NVVM IR, which only the toolkit has
    "libcask_profile_interface.so",  // cuDNN: NVIDIA's own profiler
    "libcholmod.so*",                // hipSOLVER: solvers for sparse matrices
    "libhsa-amd-aqlprofile64.so",    // ROCr: AMD's profilers
    "libionic.so*",                  // RCCL: AMD's network cards
    "libmsccl-scheduler.so",         // RCCL: a plugin
    "libdrm_amdgpu.so",              // ROCm SMI: facts of a GPU, besides libdrm_amdgpu.so.1
};

/// Of GPUs, which a CPU package asks for only to say that there are none.
constexpr std::array<const char*, 14> kGpu = {
    "libcuda.so*",     "libcudart*.so*", "libcublas*.so*", "libcudnn*.so*",      "libcupti*.so*",
    "libnvrtc*.so*",   "libnccl*.so*",   "libnvToolsExt*", "libcaffe2_nvrtc.so", "libtorch_cuda*",
    "libamdhip64.so*", "libhip*.so*",    "librocblas*",    "libMIOpen*"};

template <std::size_t kSize>
bool matches(const std::array<const char*, kSize>& patterns, const std::string& name) {
  return std::any_of(patterns.begin(), patterns.end(), [&name](const char* pattern) {
    return ::fnmatch(pattern, name.c_str(), 0) == 0;
  });
}

/// Whether a library opens others by a name that it completes itself: cuDNN 9 its parts and
/// NVRTC, to which it adds the version; PyTorch NVRTC (`libnvrtc.so.`).
bool completes_names(const ElfFacts& elf, const std::string& name) {
  return name.ends_with('.') || elf.file_name().starts_with("libcudnn");
}

bool is_reached(const PackageFacts& facts, const ElfFacts& elf, const std::string& name) {
  if (!found_by_rpath(facts, elf, name).empty()) return true;
  if (completes_names(elf, name) && !found_by_rpath_and_version(facts, elf, name).empty()) {
    return true;
  }
  return !required_wheel_of(facts, elf, name).empty();
}

bool has_shared_mkl(const PackageFacts& facts) {
  return std::any_of(facts.elves.begin(), facts.elves.end(),
                     [](const ElfFacts& elf) { return elf.file_name().starts_with("libmkl_"); });
}

}  // namespace

void check_opened_by_name(const PackageFacts& facts, Row& row) {
  row.looked_at = elf_count(facts);
  row.limit = "libraries that are opened by name are reached, or optional";
  const bool shared_mkl = has_shared_mkl(facts);
  std::vector<std::string> wrong;
  std::size_t reached = 0;
  std::size_t optional = 0;
  for (const ElfFacts& elf : facts.elves) {
    for (const std::string& name : elf.opened_by_name) {
      const bool own = name == elf.info.dynamic.soname || name == elf.file_name();
      if (own || is_on_every_host(name) || is_reached(facts, elf, name)) {
        ++reached;
        continue;
      }
      const bool mkl = shared_mkl && name.starts_with("libmkl_");
      const bool gpu = !facts.manifest.cuda && matches(kGpu, name);
      if (!facts.manifest.with_deps() || gpu || (matches(kOptional, name) && !mkl)) {
        ++optional;
        continue;
      }
      wrong.push_back(fmt::format("{} opens {} by name, which is not inside", elf.path, name));
    }
  }
  row.decide(std::move(wrong), fmt::format("{} reached, {} optional", reached, optional));
}

void check_loading(const PackageFacts& facts, Row& row) {
  row.looked_at = elf_count(facts);
  row.limit = "no executable stack, no text relocations";
  std::vector<std::string> wrong;
  for (const ElfFacts& elf : facts.elves) {
    if (elf.info.executable_stack) {
      wrong.push_back(elf.path +
                      " asks for an executable stack, which hosts refuse: glibc 2.41 "
                      "in dlopen(), SELinux always");
    }
    if (elf.info.dynamic.text_relocations) {
      wrong.push_back(elf.path + " has text relocations, which SELinux refuses");
    }
  }
  for (const ArchiveFacts& archive : facts.archives) {
    for (const std::string& member : archive.executable_stack) {
      wrong.push_back(member + " makes the stack of every program that has it executable");
    }
  }
  row.decide(std::move(wrong), "none");
}

void check_gpu_code(const PackageFacts& facts, Row& row) {
  row.looked_at = elf_count(facts);
  row.limit = "a CPU package has none and needs no GPU library";
  std::vector<std::string> wrong;
  for (const ElfFacts& elf : facts.elves) {
    if (!elf.gpu_sections.empty()) {
      wrong.push_back(
          fmt::format("{} has code for GPUs: {}", elf.path, join_some(elf.gpu_sections, 3)));
    }
    for (const std::string& needed : elf.info.dynamic.needed) {
      if (matches(kGpu, needed)) wrong.push_back(fmt::format("{} needs {}", elf.path, needed));
    }
  }
  row.decide(std::move(wrong), "none");
}

}  // namespace torchpkg
