// SPDX-License-Identifier: BSD-3-Clause
// For which GPUs the libraries of a CUDA package were compiled, read from their fat binaries.
#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>

#include "checks/checks.h"
#include "common/text.h"
#include "cuda/describe_device_code.h"

namespace torchpkg {

namespace {

using Targets = std::vector<CodeTarget>;

/// NVIDIA's libraries whose work is done on the GPU, by file name without `lib` and what follows a
/// dot or the hash of a renamed file; and the first GPUs that they are made for.
struct NvidiaLibrary {
  const char* pattern;
  std::uint32_t first_gpu;
};

constexpr std::array<NvidiaLibrary, 11> kNvidiaLibraries = {{
    {"libcublas[-.]*", 0},
    {"libcublasLt[-.]*", 0},
    {"libcufft[-.]*", 0},
    {"libcurand[-.]*", 0},
    {"libcusolver[-.]*", 0},
    {"libcusparse[-.]*", 0},
    {"libcudnn_ops[-.]*", 0},
    {"libcudnn_adv[-.]*", 0},
    {"libcudnn_engines_precompiled[-.]*", 0},
    {"libnccl[-.]*", 0},
    {"libcusparseLt[-.]*", 80},  // for the sparse tensor cores, which 8.0 introduced
}};

const NvidiaLibrary* nvidia_library(const std::string& file) {
  const auto* found = std::find_if(kNvidiaLibraries.begin(), kNvidiaLibraries.end(),
                                   [&file](const NvidiaLibrary& library) {
                                     return ::fnmatch(library.pattern, file.c_str(), 0) == 0;
                                   });
  return found == kNvidiaLibraries.end() ? nullptr : found;
}

/// Whether a library was compiled by us, for the preset's list.
bool is_own(const Manifest& manifest, const std::string& file) {
  if (file.starts_with("libtorch") || file.starts_with("libc10")) return true;
  return (file.starts_with("libnccl") && manifest.package("nccl") != nullptr) ||
         (file.starts_with("libmagma") && manifest.package("magma") != nullptr);
}

bool is_torch_cuda(const std::string& file) {
  return file == "libtorch_cuda.a" || file == "libtorch_cuda.so" ||
         file.starts_with("libtorch_cuda.so.");
}

/// Decides from the groups of fat binaries of our libraries, one after the other.
class OwnCode {
 public:
  explicit OwnCode(const ManifestCuda& cuda)
      : cuda_(cuda), wanted_(targets_of(cuda.archs)), more_(targets_of(cuda.additional_archs)) {}

  void check(const CudaFacts& library, std::vector<std::string>& wrong) {
    std::set<CodeTarget> ptx;
    bool any = false;
    for (const auto& [targets, group] : library.code.groups) {
      if (const ManifestOtherCode* other = made_by_others(targets)) {
        others_[other->from] += group.count;
        continue;
      }
      any = true;
      for (const CodeTarget& target : targets) {
        if (target.kind == CodeKind::kPtx) ptx.insert(target);
      }
      compare(library.path, targets, group, wrong);
    }
    // What was linked on the device has PTX beside it (__nv_relfatbin) and none in itself.
    for (const CodeTarget& target : wanted_) {
      if (any && target.kind == CodeKind::kPtx && ptx.count(target) == 0) {
        wrong.push_back(fmt::format("{} has no {}", library.path, target.name()));
      }
    }
  }

  [[nodiscard]] const std::map<std::string, std::size_t>& others() const { return others_; }
  [[nodiscard]] const Targets& wanted() const { return wanted_; }

 private:
  /// Whose they are: those that hold only others' code that the manifest names, and that
  /// are not as ours have to be.
  [[nodiscard]] const ManifestOtherCode* made_by_others(const Targets& targets) const {
    if (missing_in(targets).empty() && unwanted_in(targets).empty()) return nullptr;
    for (const ManifestOtherCode& other : cuda_.other_code) {
      const Targets theirs = targets_of(other.archs);
      if (std::includes(theirs.begin(), theirs.end(), targets.begin(), targets.end())) {
        return &other;
      }
    }
    return nullptr;
  }

  /// The machine code that is not there.
  [[nodiscard]] Targets missing_in(const Targets& targets) const {
    Targets missing;
    for (const CodeTarget& target : wanted_) {
      const bool there = std::binary_search(targets.begin(), targets.end(), target);
      if (target.kind == CodeKind::kSass && !there) missing.push_back(target);
    }
    return missing;
  }

  [[nodiscard]] Targets unwanted_in(const Targets& targets) const {
    Targets unwanted;
    for (const CodeTarget& target : targets) {
      const bool asked_for = std::binary_search(wanted_.begin(), wanted_.end(), target) ||
                             std::binary_search(more_.begin(), more_.end(), target);
      if (!asked_for) unwanted.push_back(target);
    }
    return unwanted;
  }

  void compare(const std::string& path, const Targets& targets, const FatBinaryGroup& group,
               std::vector<std::string>& wrong) const {
    const Targets missing = missing_in(targets);
    const Targets unwanted = unwanted_in(targets);
    if (missing.empty() && unwanted.empty()) return;
    std::string what;
    if (!missing.empty()) what = "lack " + names(missing);
    if (!unwanted.empty()) {
      what += fmt::format("{}have {}, which was not asked for", what.empty() ? "" : " and ",
                          names(unwanted));
    }
    wrong.push_back(fmt::format("{}: {} fat binaries {} (the first: {})", path, group.count, what,
                                group.first));
  }

  const ManifestCuda& cuda_;
  Targets wanted_;
  Targets more_;
  std::map<std::string, std::size_t> others_;
};

/// The architectures of the list that nothing among `targets` runs on.
template <typename AnyTargets>
std::vector<std::string> not_covered(const ManifestCuda& cuda, const AnyTargets& targets,
                                     std::uint32_t first_gpu) {
  std::vector<std::string> gpus;
  for (const WantedArch& wanted : cuda.archs) {
    const bool covered =
        std::any_of(targets.begin(), targets.end(),
                    [&wanted](const CodeTarget& target) { return target.runs_on(wanted.arch); });
    if (!covered && wanted.arch.number >= first_gpu) gpus.push_back(capability(wanted.arch));
  }
  return gpus;
}

void check_bundled_code(const ManifestCuda& cuda, const CudaFacts& library,
                        const NvidiaLibrary* known, std::vector<std::string>& wrong) {
  if (library.code.none()) {
    if (known != nullptr) wrong.push_back(library.path + " has no code for GPUs");
    return;
  }
  const std::vector<std::string> gpus =
      not_covered(cuda, library.code.targets(), known == nullptr ? 0 : known->first_gpu);
  if (known != nullptr && !gpus.empty()) {
    wrong.push_back(fmt::format("{} has no code that runs on {}", library.path, join(gpus, ", ")));
  }
}

/// Others' code that the manifest names has to run on every architecture as well.
void check_other_code(const ManifestCuda& cuda, std::vector<std::string>& wrong) {
  for (const ManifestOtherCode& other : cuda.other_code) {
    const std::vector<std::string> gpus = not_covered(cuda, targets_of(other.archs), 0);
    if (!gpus.empty()) {
      wrong.push_back(
          fmt::format("the code of {} has none that runs on {}", other.from, join(gpus, ", ")));
    }
  }
}

/// NCCL's and MAGMA's kernels lie among PyTorch's when they were linked in; that they
/// are there is seen by the names under which they are registered.
void check_parts(const PackageFacts& facts, std::vector<std::string>& wrong) {
  const auto check = [&](const char* package, const char* feature, bool CudaFacts::*kernels) {
    const bool on =
        facts.manifest.package(package) != nullptr || facts.manifest.has_feature(feature);
    const bool found =
        std::any_of(facts.cuda.begin(), facts.cuda.end(),
                    [kernels](const CudaFacts& library) { return library.*kernels; });
    const std::string* metadata = facts.dist_info_text("METADATA");
    const bool elsewhere =
        facts.manifest.package(package) == nullptr &&
        (!facts.manifest.with_deps() ||
         (metadata != nullptr &&
          metadata->find(fmt::format("nvidia-{}", package)) != std::string::npos));
    if (on && !found && !elsewhere) {
      wrong.push_back(
          fmt::format("{} is on in the manifest, but no library has its kernels", feature));
    }
  };
  check("nccl", "NCCL", &CudaFacts::nccl_kernels);
  check("magma", "MAGMA", &CudaFacts::magma_kernels);
}

/// What PyTorch's header says, by which torch.cuda.get_arch_list() answers.
void check_header(const PackageFacts& facts, const Targets& wanted,
                  std::vector<std::string>& wrong) {
  const std::string* header = facts.text(std::string(kCudaConfigHeader));
  if (header == nullptr) return;
  const std::size_t begin = header->find("#define NVCC_FLAGS_EXTRA");
  if (begin == std::string::npos) return;
  const std::string line = header->substr(begin, header->find('\n', begin) - begin);
  std::set<std::string> said;
  for (std::size_t at = line.find("code="); at != std::string::npos; at = line.find("code=", at)) {
    at += 5;
    said.insert(line.substr(at, line.find_first_of(";\" ,", at) - at));
  }
  std::set<std::string> asked;
  for (const CodeTarget& target : wanted) asked.insert(target.name());
  if (said != asked) {
    wrong.push_back(fmt::format("{} says {}, the manifest {}", kCudaConfigHeader,
                                join({said.begin(), said.end()}, " "), names(wanted)));
  }
}

}  // namespace

void check_gpu_architectures(const PackageFacts& facts, Row& row) {
  row.looked_at = fmt::format("{} libraries", facts.cuda.size());
  const ManifestCuda& cuda = *facts.manifest.cuda;
  OwnCode own(cuda);
  row.limit = names(own.wanted()) + ", exactly; in NVIDIA's libraries code that runs on these";
  std::vector<std::string> wrong;
  std::vector<std::string> with_code;
  bool torch_cuda = false;
  for (const CudaFacts& library : facts.cuda) {
    const std::string file = library.file_name();
    if (!library.code.problem.empty()) {
      wrong.push_back(fmt::format("{}: {}", library.path, library.code.problem));
    }
    if (is_own(facts.manifest, file)) {
      own.check(library, wrong);
      torch_cuda = torch_cuda || (is_torch_cuda(file) && !library.code.entries.empty());
      const bool must = file.starts_with("libnccl") || file.starts_with("libmagma");
      if (must && library.code.none()) wrong.push_back(library.path + " has no code for GPUs");
    } else {
      check_bundled_code(cuda, library, nvidia_library(file), wrong);
    }
    if (!library.code.none()) {
      with_code.push_back(library.path);
      row.notes.push_back(library.path + ": " + device_code_as_line(library.code));
    }
  }
  if (!torch_cuda) {
    wrong.push_back(fmt::format("there is no {} with code for GPUs", facts.manifest.is_static()
                                                                         ? "libtorch_cuda.a"
                                                                         : "libtorch_cuda.so"));
  }
  check_other_code(cuda, wrong);
  check_parts(facts, wrong);
  check_header(facts, own.wanted(), wrong);
  for (const auto& [from, count] : own.others()) {
    row.notes.push_back(fmt::format("{} fat binaries are counted as those of {}", count, from));
  }
  row.decide(std::move(wrong),
             fmt::format("{} in {} libraries", names(own.wanted()), with_code.size()));
}

}  // namespace torchpkg
