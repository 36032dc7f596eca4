// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/gpu_arch.h"
#include "elf/third_party_symbols.h"

namespace torchpkg {

/// A library that the host must have, of a package without deps.
struct HostLibrary {
  std::string name;                          ///< its SONAME
  std::vector<std::string> symbol_versions;  ///< that are asked for; empty when it has none
};

/// Device code that was linked in ready-made, compiled by others for architectures of their choice:
/// a distribution's static MAGMA, a static library of the toolkit.
struct OtherCode {
  std::string from;  ///< "magma", "cusparse_static"
  std::vector<WantedArch> archs;
};

/// What a package for NVIDIA's GPUs says about itself.
struct CudaManifest {
  std::string version;  ///< of the toolkit that it was compiled with: "12.4"
  std::vector<WantedArch> archs;
  std::vector<WantedArch> additional_archs;  ///< that single source files need besides
  std::vector<OtherCode> other_code;
  std::vector<WantedArch> slice;  ///< GPUs to whose code it was cut; empty: it has all
  std::map<std::string, std::string> versions;  ///< "cudnn": "9.1.0.70", by the headers
};

/// The members of manifest.json that checks read. It is written while a package is staged.
struct Manifest {
  std::string version;       ///< with the backend: "9.9.0+cpu"
  std::string backend;       ///< its name: "cpu", "cu124"
  std::string backend_kind;  ///< "cpu", "cuda", "rocm"
  std::string product;       ///< "libtorch", "wheel", "conda"
  bool is_static = false;
  bool with_deps = true;
  bool cxx11_abi = true;
  bool openmp = true;                           ///< the feature OPENMP is not off
  std::vector<std::string> features;            ///< those that are on
  std::map<std::string, std::string> platform;  ///< "glibc": the newest version that is asked for
  std::vector<std::string> bundled;             ///< file names of libraries that were copied
  std::vector<std::string> unchanged;           ///< those of them that are as their maker made them
  std::vector<HostLibrary> host_libraries;      ///< of packages without deps
  std::optional<ThirdPartySymbols> symbols;
  std::optional<CudaManifest> cuda;
  std::optional<std::vector<std::string>> rocm_archs;  ///< "gfx90a"

  /// The numbers of the version: "9.9.0" of "9.9.0.dev20261123+cpu" and of "9.9.0rc1+cpu".
  [[nodiscard]] std::string base_version() const {
    const std::string numbers = version.substr(0, version.find_first_not_of("0123456789."));
    return numbers.substr(0, numbers.find_last_not_of('.') + 1);
  }
  [[nodiscard]] bool is_bundled(std::string_view file) const;
  [[nodiscard]] bool is_unchanged(std::string_view file) const;
};

/// Reads a manifest. `where` names the file in messages. Errors: kBadInput for text that is not
/// JSON, for a missing member and for one of a wrong type, naming its place (`/cuda/archs`), and
/// for an architecture that is none.
Manifest parse_manifest(std::string_view text, const std::string& where);

}  // namespace torchpkg
