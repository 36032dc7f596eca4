// SPDX-License-Identifier: BSD-3-Clause
#include "checks/check_conda_cuda.h"

#include <fmt/core.h>

#include <algorithm>

#include "checks/checks.h"
#include "checks/elf_lookup.h"
#include "common/text.h"
#include "conda/known_packages.h"

namespace torchpkg {

using conda::MatchSpec;
using conda::TarEntry;

namespace {

using Names = std::vector<std::string>;

/// Where pytorch has what lies in the root of other packages.
constexpr std::string_view kTorch = "/site-packages/torch/";

/// What conda knows the CUDA of the host's driver as.
constexpr const char* kDriver = "__cuda";

constexpr const char* kCudaVersion = "cuda-version";

/// The path in the root of a package that is no conda package; empty for what has none.
std::string_view path_in_package(std::string_view path) {
  constexpr std::string_view kOfLibtorch = "share/libtorch/";
  if (path.starts_with(kOfLibtorch)) return path.substr(kOfLibtorch.size());
  if (path == kCudaConfigHeader) return path;
  const std::size_t at = path.find(kTorch);
  return at == std::string_view::npos ? std::string_view() : path.substr(at + kTorch.size());
}

const MatchSpec* spec_of(const CondaHost& host, const std::string& package) {
  const auto found =
      std::find_if(host.depends.begin(), host.depends.end(),
                   [&package](const MatchSpec& spec) { return spec.name == package; });
  return found == host.depends.end() ? nullptr : &*found;
}

bool has_device_code(const PackageFacts& facts) {
  return std::any_of(facts.cuda.begin(), facts.cuda.end(),
                     [](const CudaFacts& library) { return !library.code.none(); });
}

/// Of what is not inside because another package of the same build has it.
bool is_in_libtorch(const PackageFacts& facts, const CondaHost& host) {
  const MatchSpec* libtorch = spec_of(host, "libtorch");
  return !has_device_code(facts) && libtorch != nullptr && libtorch->is_exact();
}

Row decide_architectures(const PackageFacts& facts, const CondaHost& host) {
  Row row = check_gpu_architectures(facts);
  if (!facts.manifest.cuda || !is_in_libtorch(facts, host)) return row;
  row.details.clear();
  return not_applicable(std::move(row), "the code for GPUs is in the package libtorch");
}

Row decide_nvrtc(const PackageFacts& facts, const CondaHost& host) {
  Row row{4, "nvrtc", elf_count(facts), "", "what is opened by name is of a package in depends"};
  if (!facts.manifest.cuda) return no_cuda(std::move(row), facts);
  // DynamicLibrary.cpp, from where it is opened, is in libtorch_cpu.
  const bool opens = std::any_of(facts.elves.begin(), facts.elves.end(), [](const ElfFacts& elf) {
    return elf.file_name() == "libtorch_cpu.so";
  });
  if (!opens) return not_applicable(std::move(row), "it is opened by the package libtorch");
  const std::string name = facts.manifest.cuda->nvrtc_name();
  const Names packages = conda::origin_of(name).packages;
  Names wrong;
  const auto named =
      std::find_if(packages.begin(), packages.end(),
                   [&host](const std::string& package) { return spec_of(host, package); });
  const std::string inside = place_of(facts, name);
  if (inside.empty() && named == packages.end()) {
    wrong.push_back(fmt::format("libtorch opens {} of the package {}, which depends does not name",
                                name, join(packages, " or ")));
  }
  row.decide(std::move(wrong),
             fmt::format("{} {}", name,
                         inside.empty() && named != packages.end() ? "of " + *named
                                                                   : "inside as " + inside));
  return row;
}

/// Compares what `depends` says of CUDA with what the manifest says.
class Dependencies {
 public:
  Dependencies(const ManifestCuda& cuda, const CondaHost& host) : cuda_(cuda), host_(host) {}

  void compare() {
    compare_with(kDriver, cuda_.major(), "a driver for CUDA " + cuda_.major());
    compare_with(kCudaVersion, cuda_.version, "CUDA " + cuda_.version);
    for (const MatchSpec& spec : host_.depends) {
      const auto package = conda::cuda_package(spec.name);
      if (!package) continue;
      compare_time(spec, *package);
      const auto version = cuda_.versions.find(package->version);
      if (package->until_11) {
        compare_oldest(spec, cuda_.version);
      } else if (version != cuda_.versions.end()) {
        compare_oldest(spec, version->second);
      }
    }
  }

  [[nodiscard]] Names wrong() && { return std::move(wrong_); }
  [[nodiscard]] const Names& good() const { return good_; }

 private:
  void compare_with(const char* package, const std::string& version, const std::string& what) {
    if (const MatchSpec* spec = spec_of(host_, package)) {
      compare_oldest(*spec, version);
    } else {
      wrong_.push_back(
          fmt::format("depends does not name {}, by which {} is asked for", package, what));
    }
  }

  /// An older one may lack what libtorch was linked with; a driver may have to be newer for another
  /// reason than that.
  void compare_oldest(const MatchSpec& spec, const std::string& version) {
    const std::string oldest = spec.oldest();
    const int order = compare_versions(oldest, version);
    if (order == 0 || (order > 0 && spec.name == kDriver)) {
      good_.push_back(fmt::format("{} {}", spec.name, oldest));
      return;
    }
    wrong_.push_back(
        fmt::format("depends has '{}', which is not from {} on, the version that "
                    "libtorch was compiled with",
                    spec.text(), version));
  }

  /// conda-forge's packages of the toolkit are others since CUDA 12.
  void compare_time(const MatchSpec& spec, const conda::CudaPackage& package) {
    const bool old = cuda_.major() == "11";
    if (old ? package.since_12 : package.until_11) {
      wrong_.push_back(fmt::format("depends names {}, which has CUDA {} only", spec.name,
                                   old ? "12 and newer" : "11 and older"));
    }
  }

  const ManifestCuda& cuda_;
  const CondaHost& host_;
  Names wrong_;
  Names good_;
};

Row decide_depends(const PackageFacts& facts, const CondaHost& host) {
  Row row{12, "cuda-depends", "manifest, index.json", "",
          "a driver, and NVIDIA's libraries from the versions on that libtorch was compiled with"};
  if (facts.manifest.cuda) {
    Dependencies dependencies(*facts.manifest.cuda, host);
    dependencies.compare();
    const std::string found = join(dependencies.good(), ", ");
    row.decide(std::move(dependencies).wrong(), found);
    return row;
  }
  Names wrong;
  for (const char* package : {kDriver, kCudaVersion}) {
    if (spec_of(host, package) == nullptr) continue;
    wrong.push_back(fmt::format("depends names {}, but the backend of the manifest is {}", package,
                                facts.manifest.backend));
  }
  if (wrong.empty()) return no_cuda(std::move(row), facts);
  row.decide(std::move(wrong), "");
  return row;
}

/// Without a manifest nothing says what a package is to have inside.
void decide_without_manifest(Row& row, const PackageFacts& facts, const CondaHost& host) {
  row.details.clear();
  const bool for_gpus = has_device_code(facts) || spec_of(host, kDriver) != nullptr;
  if (for_gpus && row.name == "gpu-architectures") {
    row.decide({"there is no manifest.json, which says for which GPUs the package is"}, "");
  } else {
    row = not_applicable(std::move(row), "there is no manifest.json");
  }
}

}  // namespace

void note_conda_text(const TarEntry& entry, Bytes content, PackageFacts& facts) {
  const std::string_view path = path_in_package(entry.path);
  if (path == "manifest.json") facts.manifest = parse_manifest(as_text(content), entry.path);
  if (path == "version.py" || path == kCudaConfigHeader) {
    facts.texts[std::string(path)] = as_text(content);
  }
}

std::vector<Row> check_conda_cuda(const PackageFacts& facts, const std::optional<CondaHost>& host) {
  const CondaHost known = host.value_or(CondaHost{});
  std::vector<Row> rows{check_gpu_code(facts), decide_architectures(facts, known),
                        decide_nvrtc(facts, known), check_cuda_versions(facts),
                        decide_depends(facts, known)};
  for (Row& row : rows) {
    if (!host) {
      row.details.clear();
      row = not_applicable(std::move(row), "index.json is missing or wrong");
    } else if (facts.manifest.backend.empty()) {
      decide_without_manifest(row, facts, known);
    }
  }
  return rows;
}

}  // namespace torchpkg
