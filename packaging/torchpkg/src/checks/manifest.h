// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "elf/inspect_elf.h"

namespace torchpkg {

struct ManifestFeature {
  bool enabled = false;
  std::string reason;  ///< why it is off; may be empty
};

struct ManifestSource {
  std::string name;
  std::string version;
  std::string commit;  ///< this or `sha256` pins the source
  std::string sha256;
  std::string provider;
};

struct ManifestPackage {
  std::string name;
  std::string version;
  std::string license;
  std::string fingerprint;
  std::vector<ManifestSource> sources;
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

/// What a package says of itself: `manifest.json` (schema 1) in its top folder.
struct Manifest {
  std::string name;
  std::string version;  ///< with the backend: "2.6.0+cpu"
  std::string backend;
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

  /// The version without the backend: "2.6.0".
  [[nodiscard]] std::string base_version() const { return version.substr(0, version.find('+')); }
  [[nodiscard]] bool is_static() const { return linkage == "static"; }
  [[nodiscard]] bool is_cpu() const { return backend == "cpu"; }
  [[nodiscard]] bool with_deps() const { return deps == "with-deps"; }
};

/// Reads a manifest. `where` names the file in messages. Errors: kBadInput for text that is no
/// JSON, for a missing member and for one of a wrong type, naming it (`packages[2].license`).
Manifest parse_manifest(std::string_view text, const std::string& where);

}  // namespace torchpkg
