// SPDX-License-Identifier: BSD-3-Clause
#include "package/manifest.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "common/json.h"
#include "common/text.h"

namespace torchpkg {

using Json = nlohmann::json;

// Structures of which every member must be there, and of the right type.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HighestVersions, glibc, glibcxx, cxxabi)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ManifestPatch, file, source)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ManifestBundled, name, from, sha256, file)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ManifestHostLibrary, name, symbol_versions)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ManifestRocm, version, archs)

static void from_json(const Json& json, ManifestFeature& feature) {
  json.at("enabled").get_to(feature.enabled);
  feature.reason = json.value("reason", feature.reason);
}

static void from_json(const Json& json, ManifestSource& source) {
  json.at("name").get_to(source.name);
  json.at("version").get_to(source.version);
  json.at("provider").get_to(source.provider);
  source.commit = json.value("commit", source.commit);
  source.sha256 = json.value("sha256", source.sha256);
  source.tree_sha256 = json.value("tree_sha256", source.tree_sha256);
  source.in = json.value("in", source.in);
}

static void from_json(const Json& json, ManifestPackage& package) {
  json.at("name").get_to(package.name);
  json.at("version").get_to(package.version);
  json.at("license").get_to(package.license);
  json.at("fingerprint").get_to(package.fingerprint);
  json.at("sources").get_to(package.sources);
  json.at("patches").get_to(package.patches);
  (void)json.at("options").get_ref<const Json::array_t&>();
}

static std::vector<SymbolRule> read_rules(const Json& json, const char* label) {
  std::vector<SymbolRule> rules;
  for (const Json& rule : json.get_ref<const Json::array_t&>()) {
    rules.push_back({rule.at(label), rule.at("names")});
  }
  return rules;
}

static void from_json(const Json& json, ThirdPartySymbols& symbols) {
  symbols.hidden = read_rules(json.at("hidden"), "library");
  symbols.exported = read_rules(json.at("exported"), "why");
}

static void from_json(const Json& json, WantedArch& arch) {
  const auto text = json.get<std::string>();
  const std::optional<WantedArch> known = parse_wanted_arch(text);
  if (!known) {
    throw std::invalid_argument(
        fmt::format("\"{}\" is not an architecture such as 9.0, 9.0a or 9.0+PTX", text));
  }
  arch = *known;
}

static void from_json(const Json& json, ManifestOtherCode& code) {
  json.at("from").get_to(code.from);
  json.at("archs").get_to(code.archs);
}

static void from_json(const Json& json, ManifestCuda& cuda) {
  json.at("version").get_to(cuda.version);
  json.at("archs").get_to(cuda.archs);
  cuda.additional_archs = json.value("additional_archs", cuda.additional_archs);
  cuda.other_code = json.value("other_code", cuda.other_code);
  cuda.versions = json.value("versions", cuda.versions);
}

static void from_json(const Json& json, Manifest& manifest) {
  if (const Json& schema = json.at("schema"); schema != 1) {
    throw std::invalid_argument(
        fmt::format("its schema is {}, but this torchpkg knows schema 1", schema.get<double>()));
  }
  json.at("name").get_to(manifest.name);
  json.at("version").get_to(manifest.version);
  json.at("backend").get_to(manifest.backend);
  json.at("backend_kind").get_to(manifest.backend_kind);
  json.at("product").get_to(manifest.product);
  manifest.linkage = one_of(json, "linkage", {"shared", "static"});
  manifest.deps = one_of(json, "deps", {"with-deps", "without-deps"});
  json.at("preset").get_to(manifest.preset);
  json.at("git_version").get_to(manifest.git_version);
  for (const char* member : {"id", "version"}) {
    (void)json.at("compiler").at(member).get<std::string>();
  }
  json.at("cxx11_abi").get_to(manifest.cxx11_abi);
  json.at("platform").get_to(manifest.platform);
  json.at("features").get_to(manifest.features);
  json.at("packages").get_to(manifest.packages);
  json.at("bundled").get_to(manifest.bundled);
  manifest.host_libraries = json.value("host_libraries", manifest.host_libraries);
  manifest.forbidden_paths = json.value("forbidden_paths", manifest.forbidden_paths);
  if (json.contains("symbols")) manifest.symbols.emplace() = json.at("symbols");
  if (json.contains("cuda")) manifest.cuda.emplace() = json.at("cuda");
  if (json.contains("rocm")) manifest.rocm.emplace() = json.at("rocm");
}

/// The member of a manifest that a backend of this kind must have.
template <class Facts>
static void expect_archs(const Manifest& manifest, const char* kind,
                         const std::optional<Facts>& facts) {
  if (facts && facts->archs.empty()) {
    throw std::invalid_argument(fmt::format("{}.archs is empty", kind));
  }
  if (facts || manifest.backend_kind != kind) return;
  throw std::invalid_argument(
      fmt::format("the member {0} is missing, which a backend of the kind {0} must have", kind));
}

/// Behind ".so." is the major version, before CUDA 12 another one.
/// https://docs.nvidia.com/cuda/nvrtc/index.html#nvrtc-library-versioning
std::string ManifestCuda::nvrtc_name() const {
  std::string suffix = major();
  if (suffix == "11") suffix = compare_versions(version, "11.3") < 0 ? version : "11.2";
  return "libnvrtc.so." + suffix;
}

const ManifestPackage* Manifest::package(std::string_view package_name) const {
  const auto found = std::find_if(
      packages.begin(), packages.end(),
      [package_name](const ManifestPackage& package) { return package.name == package_name; });
  return found == packages.end() ? nullptr : &*found;
}

bool Manifest::has_feature(const std::string& feature) const {
  const auto found = features.find(feature);
  return found != features.end() && found->second.enabled;
}

Manifest parse_manifest(std::string_view text, const std::string& where) {
  return read_json(text, where,
                   "make the package again; its manifest is written while it is staged",
                   [](const Json& json) {
                     auto manifest = json.get<Manifest>();
                     expect_archs(manifest, "cuda", manifest.cuda);
                     expect_archs(manifest, "rocm", manifest.rocm);
                     return manifest;
                   });
}

}  // namespace torchpkg
