// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/gpu_arch.h"
#include "elf/inspect_elf.h"
#include "elf/third_party_symbols.h"

namespace torchpkg {

struct ManifestFeature {
  bool enabled = false;
  std::string reason;  ///< why it is off; may be empty
};

struct ManifestSource {
  std::string name;
  std::string version;
  std::string commit;  ///< this or `sha256` pins the source, unless `in` does
  std::string sha256;
  std::string provider;
  std::string tree_sha256;  ///< only of a folder of the builder's, which nobody pinned
  std::string in;           ///< only of what is inside another source of the package
};

struct ManifestPatch {
  std::string file;
  std::string source;  ///< what it was applied to
};

struct ManifestPackage {
  std::string name;
  std::string version;
  std::string license;
  std::string fingerprint;
  std::vector<ManifestSource> sources;
  std::vector<ManifestPatch> patches;
};

struct ManifestBundled {
  std::string name;
  std::string from;
  std::string sha256;
  std::string file;
};

/// A library that the host must have, of a package without deps.
struct ManifestHostLibrary {
  std::string name;                          ///< its SONAME
  std::vector<std::string> symbol_versions;  ///< that are asked for; empty when it has none
};

/// Device code that was linked in ready-made, compiled by others for architectures of their choice:
/// a static MAGMA of a distribution, a static library of the toolkit.
struct ManifestOtherCode {
  std::string from;  ///< "magma", "cusparse_static"
  std::vector<WantedArch> archs;
};

/// What a package for NVIDIA's GPUs says about itself.
struct ManifestCuda {
  std::string version;  ///< of the toolkit that it was compiled with: "12.4"
  std::vector<WantedArch> archs;
  std::vector<WantedArch> additional_archs;     ///< optional: that single source files need besides
  std::vector<ManifestOtherCode> other_code;    ///< optional
  std::map<std::string, std::string> versions;  ///< optional: "cudnn": "9.1.0.70", by the headers

  /// "12" of 12.4.
  [[nodiscard]] std::string major() const { return version.substr(0, version.find('.')); }

  /// "libnvrtc.so.12", as which PyTorch opens NVRTC.
  [[nodiscard]] std::string nvrtc_name() const;
};

/// What a package for ROCm says about itself.
struct ManifestRocm {
  std::string version;             ///< of the toolkit that it was compiled with: "6.2"
  std::vector<std::string> archs;  ///< "gfx90a"
};

/// What a package says about itself: `manifest.json` (schema 1) in its top folder.
struct Manifest {
  std::string name;
  std::string version;       ///< with the backend: "9.9.0+cpu"
  std::string backend;       ///< its name: "cpu", "cu124"
  std::string backend_kind;  ///< "cpu", "cuda", "rocm"
  std::string product;
  std::string linkage;  ///< "shared" or "static"
  std::string deps;     ///< "with-deps" or "without-deps"
  std::string preset;
  std::string git_version;
  bool cxx11_abi = true;
  HighestVersions platform;  ///< the newest symbol versions that the host must have
  std::map<std::string, ManifestFeature> features;
  std::vector<ManifestPackage> packages;
  std::vector<ManifestBundled> bundled;
  std::vector<ManifestHostLibrary> host_libraries;  ///< optional: for packages without deps
  std::vector<std::string> forbidden_paths;         ///< optional: must not occur in any file
  std::optional<ThirdPartySymbols> symbols;         ///< optional
  std::optional<ManifestCuda> cuda;                 ///< of the kind cuda
  std::optional<ManifestRocm> rocm;                 ///< of the kind rocm

  /// The version without the backend: "9.9.0".
  [[nodiscard]] std::string base_version() const {
    return version.substr(0, version.find_first_not_of("0123456789."));
  }
  [[nodiscard]] bool is_static() const { return linkage == "static"; }
  [[nodiscard]] bool is_cpu() const { return backend_kind == "cpu"; }
  /// Its entry of a package that it was built from; null without one.
  [[nodiscard]] const ManifestPackage* package(std::string_view package_name) const;
  /// Whether a feature is on; one that is not named is not.
  [[nodiscard]] bool has_feature(const std::string& feature) const;
  [[nodiscard]] bool with_deps() const { return deps == "with-deps"; }
};

/// Reads a manifest. `where` names the file in messages. Errors: kBadInput for text that is not
/// JSON, for a missing member and for one of a wrong type, naming its place (`/packages/2`);
/// for an architecture that is none; for one of the kind cuda or rocm without the member of that
/// name.
Manifest parse_manifest(std::string_view text, const std::string& where);

}  // namespace torchpkg
