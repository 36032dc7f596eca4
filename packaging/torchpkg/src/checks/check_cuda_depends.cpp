// SPDX-License-Identifier: BSD-3-Clause
// Whether `depends` of a conda package asks for NVIDIA's driver and libraries as it should.
#include <fmt/core.h>

#include "checks/checks.h"
#include "common/text.h"
#include "conda/known_packages.h"

namespace torchpkg {

using conda::MatchSpec;

namespace {

using Names = std::vector<std::string>;

/// What conda knows the CUDA of the host's driver as.
constexpr const char* kDriver = "__cuda";

constexpr const char* kCudaVersion = "cuda-version";

/// Compares what `depends` says about CUDA with what the manifest says.
class Dependencies {
 public:
  Dependencies(const ManifestCuda& cuda, const CondaIndex& index) : cuda_(cuda), index_(index) {}

  void compare() {
    compare_with(kDriver, cuda_.major(), "a driver for CUDA " + cuda_.major());
    compare_with(kCudaVersion, cuda_.version, "CUDA " + cuda_.version);
    for (const MatchSpec& spec : index_.depends) {
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
    if (const MatchSpec* spec = index_.spec_of(package)) {
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
  const CondaIndex& index_;
  Names wrong_;
  Names good_;
};

}  // namespace

void check_cuda_depends(const PackageFacts& facts, Row& row) {
  const CondaIndex& index = *facts.conda->index;
  row.looked_at = "manifest, index.json";
  row.limit =
      "a driver, and NVIDIA's libraries from the versions on that libtorch was compiled with";
  if (facts.manifest.cuda) {
    Dependencies dependencies(*facts.manifest.cuda, index);
    dependencies.compare();
    const std::string found = join(dependencies.good(), ", ");
    return row.decide(std::move(dependencies).wrong(), found);
  }
  Names wrong;
  for (const char* package : {kDriver, kCudaVersion}) {
    if (index.spec_of(package) == nullptr) continue;
    wrong.push_back(fmt::format("depends names {}, but the backend of the manifest is {}", package,
                                facts.manifest.backend));
  }
  if (wrong.empty()) return row.not_applicable("the backend is " + facts.manifest.backend);
  row.decide(std::move(wrong), "");
}

}  // namespace torchpkg
