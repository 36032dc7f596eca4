// SPDX-License-Identifier: BSD-3-Clause
// Libraries of CUDA that nothing needs and that are opened by name while a program runs: NVRTC,
// which compiles PyTorch's fused kernels, its builtins, and the parts of cuDNN 9.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "checks/checks.h"
#include "common/text.h"
#include "conda/known_packages.h"
#include "package/elf_lookup.h"
#include "wheel/nvidia_wheels.h"

namespace torchpkg {

namespace {

/// The parts of cuDNN 9 without which no operation works; libcudnn.so.9 and libcudnn_graph.so.9
/// open them by these names.
constexpr std::array<const char*, 7> kCudnnParts = {"libcudnn_graph.so.9",
                                                    "libcudnn_ops.so.9",
                                                    "libcudnn_cnn.so.9",
                                                    "libcudnn_adv.so.9",
                                                    "libcudnn_heuristic.so.9",
                                                    "libcudnn_engines_precompiled.so.9",
                                                    "libcudnn_engines_runtime_compiled.so.9"};

class OpenedLibraries {
 public:
  explicit OpenedLibraries(const PackageFacts& facts)
      : facts_(facts), cuda_(*facts.manifest.cuda) {}

  void check_nvrtc() {
    const std::string name = cuda_.nvrtc_name();
    // DynamicLibrary.cpp, from where it is opened, is in libtorch_cpu.
    const ElfFacts* opener = elf_named("libtorch_cpu.so");
    if (opener == nullptr) {
      const std::string path = place_of(facts_, name);
      if (path.empty()) {
        not_inside("libtorch", name, "which is not inside");
      } else {
        check_builtins(path);
      }
      return;
    }
    const std::string path = found_by_rpath(facts_, *opener, name);
    if (!path.empty()) {
      check_builtins(path);
    } else if (const std::string renamed = renamed_nvrtc(*opener); !renamed.empty()) {
      check_hash(name, renamed);
      check_builtins(renamed);
    } else if (const std::string wheel = required_wheel_of(facts_, *opener, name); !wheel.empty()) {
      found_.push_back(fmt::format("{} of {}", name, wheel));
    } else {
      not_inside(opener->path, name, "which is not reached by its RPATH");
    }
  }

  void check_cudnn() {
    for (const ElfFacts& elf : facts_.elves) {
      if (elf.file_name().starts_with("libcudnn.so.9")) check_cudnn_parts(elf);
    }
  }

  [[nodiscard]] std::vector<std::string> wrong() && { return std::move(wrong_); }
  [[nodiscard]] const std::vector<std::string>& found() const { return found_; }

 private:
  [[nodiscard]] const ElfFacts* elf_named(const std::string& name) const {
    const auto found =
        std::find_if(facts_.elves.begin(), facts_.elves.end(), [&name](const ElfFacts& elf) {
          return elf.file_name() == name || elf.file_name().starts_with(name + ".");
        });
    return found == facts_.elves.end() ? nullptr : &*found;
  }

  [[nodiscard]] const ElfFacts* elf_at(const std::string& path) const {
    const auto found = std::find_if(facts_.elves.begin(), facts_.elves.end(),
                                    [&path](const ElfFacts& elf) { return elf.path == path; });
    return found == facts_.elves.end() ? nullptr : &*found;
  }

  /// For a package without deps the host has it, which the manifest then says; for conda's, a
  /// package that `depends` names.
  void not_inside(const std::string& opener, const std::string& name, const char* what) {
    if (facts_.conda) return of_conda(name);
    const Manifest& manifest = facts_.manifest;
    if (manifest.with_deps()) {
      wrong_.push_back(fmt::format("{} opens {}, {}", opener, name, what));
      return;
    }
    const bool named =
        std::any_of(manifest.host_libraries.begin(), manifest.host_libraries.end(),
                    [&name](const ManifestHostLibrary& library) { return library.name == name; });
    if (named) {
      found_.push_back(name + " of the host");
    } else {
      wrong_.push_back(
          fmt::format("{} must come from the host, but the manifest does not name it "
                      "in host_libraries",
                      name));
    }
  }

  void of_conda(const std::string& name) {
    const std::vector<std::string> packages = conda::origin_of(name).packages;
    const auto specs = facts_.conda->index->specs_of(packages);
    if (!specs.empty()) {
      found_.push_back(fmt::format("{} of {}", name, specs[0]->name));
    } else {
      wrong_.push_back(
          fmt::format("libtorch opens {} of the package {}, which depends does not name", name,
                      join(packages, " or ")));
    }
  }

  /// The path of a libnvrtc with a hash in its name, beside the library that opens it.
  [[nodiscard]] std::string renamed_nvrtc(const ElfFacts& opener) const {
    for (const ElfFacts& elf : facts_.elves) {
      const std::string name = elf.file_name();
      const bool hashed = name.starts_with("libnvrtc-") && !name.starts_with("libnvrtc-builtins");
      if (hashed && !found_by_rpath(facts_, opener, name).empty()) return elf.path;
    }
    return {};
  }

  /// When libnvrtc.so.12 is not found, PyTorch opens libnvrtc-<hash>.so.12 with the hash that its
  /// CMake files computed. Those of some releases fail to compute it and write XXXXXXXX
  /// (https://github.com/pytorch/pytorch/issues/129777).
  void check_hash(const std::string& name, const std::string& renamed) {
    const std::string file = renamed.substr(renamed.rfind('/') + 1);
    const std::size_t begin = std::string_view("libnvrtc-").size();
    const std::string hash = file.substr(begin, file.find('.') - begin);
    const bool expected =
        std::any_of(facts_.cuda.begin(), facts_.cuda.end(),
                    [&](const CudaFacts& library) { return library.hashes.count(hash) != 0; });
    if (expected && file.ends_with(name.substr(name.find(".so.")))) return;
    wrong_.push_back(
        fmt::format("{} is opened by no name: libtorch_cuda has not its hash, and its "
                    "other name is {}",
                    renamed, name));
  }

  /// NVRTC opens its builtins by the toolkit's version, beside itself.
  void check_builtins(const std::string& path) {
    const std::string name = "libnvrtc-builtins.so." + builtins_version();
    const ElfFacts* nvrtc = elf_at(path);
    if (nvrtc == nullptr) {  // the file behind a symlink
      nvrtc = elf_named("libnvrtc.so");
    }
    if (nvrtc == nullptr || found_by_rpath(facts_, *nvrtc, name).empty()) {
      wrong_.push_back(fmt::format("{} opens {}, which is not reached by its RPATH", path, name));
      return;
    }
    found_.push_back(fmt::format("{} with {}", path.substr(path.rfind('/') + 1), name));
  }

  /// "12.4"; by what NVRTC says about itself, which the row cuda-versions compares.
  [[nodiscard]] std::string builtins_version() const {
    for (const CudaFacts& library : facts_.cuda) {
      const std::string name = library.file_name();
      if (name.starts_with("libnvrtc") && !library.tools_version.empty()) {
        return library.tools_version;
      }
    }
    return cuda_.version;
  }

  void check_cudnn_parts(const ElfFacts& cudnn) {
    std::size_t reached = 0;
    for (const char* part : kCudnnParts) {
      if (found_by_rpath(facts_, cudnn, part).empty()) {
        wrong_.push_back(
            fmt::format("{} opens {}, which is not reached by its RPATH", cudnn.path, part));
      } else {
        ++reached;
      }
    }
    found_.push_back(fmt::format("{} parts of cuDNN", reached));
  }

  const PackageFacts& facts_;
  const ManifestCuda& cuda_;
  std::vector<std::string> wrong_;
  std::vector<std::string> found_;
};

}  // namespace

void check_nvrtc(const PackageFacts& facts, Row& row) {
  row.looked_at = elf_count(facts);
  row.limit =
      "kernels compile on a host with only the driver: NVRTC, its builtins and cuDNN's parts "
      "are reached by the names they are opened by";
  OpenedLibraries opened(facts);
  opened.check_nvrtc();
  opened.check_cudnn();
  const std::string found = join(opened.found(), ", ");
  row.decide(std::move(opened).wrong(), found);
}

}  // namespace torchpkg
