// SPDX-License-Identifier: BSD-3-Clause
// Whether CUDA, cuDNN, NCCL and MAGMA are of the versions that the package says.
#include <fmt/core.h>

#include <algorithm>

#include "checks/checks.h"
#include "common/text.h"
#include "wheel/nvidia_wheels.h"

namespace torchpkg {

namespace {

/// Whether two versions agree as far as both say something: 9.1.0 and 9.1.0.70, 2.21.5-1
/// and 2.21.5.
bool agree(const std::string& one, const std::string& other) {
  const std::string& longer = one.size() < other.size() ? other : one;
  const std::string& shorter = one.size() < other.size() ? one : other;
  if (shorter.empty() || !longer.starts_with(shorter)) return false;
  const char next = longer.size() == shorter.size() ? '.' : longer[shorter.size()];
  return next == '.' || next == '-';
}

/// A version that has been met, and where.
struct Said {
  std::string version;
  std::string where;
};

/// Gathers what there is about one library, and compares all with the first.
class Versions {
 public:
  explicit Versions(const char* name) : name_(name) {}

  void add(const std::string& version, const std::string& where) {
    if (!version.empty()) said_.push_back({version, where});
  }

  /// Says what is wrong; what is right goes to `good`.
  void compare(std::vector<std::string>& wrong, std::vector<std::string>& good) const {
    if (said_.empty()) return;
    const Said& first = said_.front();
    bool all = true;
    for (const Said& other : said_) {
      if (agree(first.version, other.version)) continue;
      all = false;
      wrong.push_back(fmt::format("{} is {} in {}, but {} in {}", name_, first.version, first.where,
                                  other.version, other.where));
    }
    if (all) good.push_back(fmt::format("{} {} ({} places)", name_, first.version, said_.size()));
  }

 private:
  const char* name_;
  std::vector<Said> said_;
};

class Comparison {
 public:
  explicit Comparison(const PackageFacts& facts) : facts_(facts), cuda_(*facts.manifest.cuda) {
    metadata_ = facts.dist_info_text("METADATA");
  }

  void compare_all() {
    cuda_toolkit().compare(wrong_, good_);
    cudnn().compare(wrong_, good_);
    nccl().compare(wrong_, good_);
    Versions magma("MAGMA");
    from_manifest("magma", magma);
    magma.compare(wrong_, good_);
    Versions cusparselt("cuSPARSELt");
    from_manifest("cusparselt", cusparselt);
    from_metadata("libcusparseLt.so", cusparselt);
    cusparselt.compare(wrong_, good_);
    compare_sonames();
    compare_backend();
  }

  [[nodiscard]] std::vector<std::string> wrong() && { return std::move(wrong_); }
  [[nodiscard]] const std::vector<std::string>& good() const { return good_; }

 private:
  [[nodiscard]] Versions cuda_toolkit() const {
    Versions versions("CUDA");
    versions.add(cuda_.version, "the manifest");
    for (const CudaFacts& library : facts_.cuda) {
      const std::string file = library.file_name();
      if (file.starts_with("libnvrtc")) versions.add(library.tools_version, library.path);
      const std::string builtins = "libnvrtc-builtins.so.";
      if (file.starts_with(builtins)) versions.add(file.substr(builtins.size()), library.path);
      // NVIDIA's own may be of any version that is compatible.
      const std::size_t suffix = library.nccl_version.find("+cuda");
      if (suffix != std::string::npos && facts_.manifest.package("nccl") != nullptr) {
        versions.add(library.nccl_version.substr(suffix + 5), "NCCL in " + library.path);
      }
    }
    from_metadata("libcudart.so", versions);
    from_metadata("libnvrtc.so", versions);
    if (const std::string* text = facts_.text("version.py")) {
      versions.add(cuda_in(*text), "version.py");
    }
    return versions;
  }

  [[nodiscard]] Versions cudnn() const {
    Versions versions("cuDNN");
    from_manifest("cudnn", versions);
    for (const CudaFacts& library : facts_.cuda) versions.add(library.cudnn_version, library.path);
    from_metadata("libcudnn.so", versions);
    return versions;
  }

  [[nodiscard]] Versions nccl() const {
    Versions versions("NCCL");
    from_manifest("nccl", versions);
    for (const CudaFacts& library : facts_.cuda) {
      const std::string& version = library.nccl_version;
      versions.add(version.substr(0, version.find('+')), library.path);
    }
    from_metadata("libnccl.so", versions);
    return versions;
  }

  /// What the headers said when libtorch was compiled, and the pin.
  void from_manifest(const std::string& name, Versions& versions) const {
    const auto found = cuda_.versions.find(name);
    if (found != cuda_.versions.end()) {
      versions.add(found->second, "the headers, as the manifest says");
    }
    if (const ManifestPackage* package = facts_.manifest.package(name)) {
      versions.add(package->version, "the pins");
    }
  }

  void from_metadata(const std::string& library, Versions& versions) const {
    if (metadata_ == nullptr) return;
    const auto wheel = wheel::nvidia_wheel_of(library, cuda_.major());
    if (!wheel) return;
    const auto version = wheel::required_version(*metadata_, wheel->project);
    if (version) versions.add(*version, "METADATA");
  }

  /// `cuda: Optional[str] = '12.4'`
  static std::string cuda_in(const std::string& version_py) {
    for (const std::string& line : split(version_py, '\n')) {
      if (!line.starts_with("cuda")) continue;
      const std::size_t begin = line.find_first_of("'\"");
      if (begin == std::string::npos) return {};
      return line.substr(begin + 1, line.find(line[begin], begin + 1) - begin - 1);
    }
    return {};
  }

  /// The major version of the runtime that is asked for.
  void compare_sonames() {
    const std::string runtime = "libcudart.so.";
    // Before CUDA 12 the minor version was a part of it, and stayed 11.0.
    const std::string expected = cuda_.major() == "11" ? "11.0" : cuda_.major();
    for (const ElfFacts& elf : facts_.elves) {
      for (const std::string& needed : elf.info.dynamic.needed) {
        if (!needed.starts_with(runtime) || needed == runtime + expected) continue;
        wrong_.push_back(fmt::format("{} needs {}, which CUDA {} does not have", elf.path, needed,
                                     cuda_.version));
      }
    }
  }

  /// cu124 is 12.4, also behind the version: 9.9.0+cu124.
  void compare_backend() {
    std::string backend = "cu" + cuda_.version;
    std::erase(backend, '.');
    const Manifest& manifest = facts_.manifest;
    for (const auto& [what, said] :
         {std::pair{"backend", manifest.backend},
          std::pair{"version", manifest.version.substr(manifest.version.find('+') + 1)}}) {
      if (said == backend) continue;
      wrong_.push_back(
          fmt::format("the manifest's {} says {}, but its CUDA is {}", what, said, cuda_.version));
    }
  }

  const PackageFacts& facts_;
  const ManifestCuda& cuda_;
  const std::string* metadata_;
  std::vector<std::string> wrong_;
  std::vector<std::string> good_;
};

}  // namespace

void check_cuda_versions(const PackageFacts& facts, Row& row) {
  row.looked_at = "manifest, libraries, METADATA";
  row.limit = "CUDA, cuDNN, NCCL, MAGMA: header, library and pin are of one version";
  Comparison comparison(facts);
  comparison.compare_all();
  const std::string found = join(comparison.good(), ", ");
  row.decide(std::move(comparison).wrong(), found);
}

}  // namespace torchpkg
