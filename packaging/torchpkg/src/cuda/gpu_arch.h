// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace torchpkg {

/// An architecture of NVIDIA's GPUs by its compute capability.
struct GpuArch {
  std::uint32_t number = 0;  ///< 90 is 9.0, 120 is 12.0
  char variant = 0;  ///< 'a': for this one alone; 'f': for its family; 0: for later ones too

  bool operator==(const GpuArch&) const = default;
  bool operator<(const GpuArch& other) const {
    return std::tie(number, variant) < std::tie(other.number, other.variant);
  }
};

/// What code can be in a fat binary: machine code, text of a virtual machine (which the driver
/// compiles for any later GPU), or the compiler's own form, which is linked at run time.
enum class CodeKind { kSass, kPtx, kLtoIr, kOther };

/// What a piece of device code was compiled for.
struct CodeTarget {
  CodeKind kind = CodeKind::kSass;
  GpuArch arch;

  bool operator==(const CodeTarget&) const = default;
  bool operator<(const CodeTarget& other) const {
    return std::tie(kind, arch) < std::tie(other.kind, other.arch);
  }

  /// As NVIDIA's tools write it: "sm_90a", "compute_90", "lto_90".
  [[nodiscard]] std::string name() const;
};

/// An item of a list of architectures as presets and PyTorch write it: "9.0", "9.0a", "9.0+PTX".
struct WantedArch {
  GpuArch arch;
  bool ptx = false;
};

/// Which of the targets the driver of a GPU may take its code from, in the order of `there`:
/// machine code for it or, of those for a lower minor version of its major one, for the highest;
/// else the PTX for the highest version that is not above. One number stands for all its variants
/// ("sm_90", "sm_90a") that run on that GPU. Empty: it has no code. `gpu` is 90 for 9.0. By
/// "Application Compatibility" and "Family-Specific Features" of NVIDIA's CUDA C++ programming
/// guide.
std::vector<CodeTarget> targets_for(std::uint32_t gpu, const std::vector<CodeTarget>& there);

/// What a slice for these GPUs keeps of the targets: what the driver of one of them may take
/// (targets_for()), PTX where one asks for it, and code that is neither machine code nor PTX.
std::set<CodeTarget> targets_of_slice(const std::vector<WantedArch>& gpus,
                                      const std::vector<CodeTarget>& there);

/// Nothing when `text` is not such an item.
std::optional<WantedArch> parse_wanted_arch(std::string_view text);

/// What has to be compiled for that list, sorted: machine code for each, PTX where it is asked for.
std::vector<CodeTarget> targets_of(const std::vector<WantedArch>& list);

}  // namespace torchpkg
