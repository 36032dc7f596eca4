// SPDX-License-Identifier: BSD-3-Clause
#include "package/manifest.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "common/error.h"
#include "common/json_node.h"
#include "common/text.h"

namespace torchpkg {

namespace {

using Json = nlohmann::json;

using Node = JsonNode;

ManifestSource read_source(const Node& node) {
  return {node.at("name").text(),       node.at("version").text(),
          node.text_or_empty("commit"), node.text_or_empty("sha256"),
          node.at("provider").text(),   node.text_or_empty("tree_sha256"),
          node.text_or_empty("in")};
}

ManifestPatch read_patch(const Node& node) {
  return {node.at("file").text(), node.at("source").text()};
}

ManifestPackage read_package(const Node& node) {
  ManifestPackage package;
  package.name = node.at("name").text();
  package.version = node.at("version").text();
  package.license = node.at("license").text();
  package.fingerprint = node.at("fingerprint").text();
  package.sources = node.at("sources").list(read_source);
  package.patches = node.at("patches").list(read_patch);
  (void)node.at("options").list([](const Node&) { return true; });
  return package;
}

ManifestBundled read_bundled(const Node& node) {
  return {node.at("name").text(), node.at("from").text(), node.at("sha256").text(),
          node.at("file").text()};
}

std::string read_string(const Node& node) { return node.text(); }

ThirdPartySymbols read_symbols(const Node& node) {
  const auto rule = [](const std::string& label) {
    return [label](const Node& one) {
      return SymbolRule{one.at(label).text(), one.at("names").list(read_string)};
    };
  };
  return {node.at("hidden").list(rule("library")), node.at("exported").list(rule("why"))};
}

ManifestHostLibrary read_host_library(const Node& node) {
  return {node.at("name").text(), node.at("symbol_versions").list(read_string)};
}

WantedArch read_arch(const Node& node) {
  const std::string text = node.text();
  const std::optional<WantedArch> arch = parse_wanted_arch(text);
  if (!arch) {
    node.fail(fmt::format("the member {} is \"{}\", no architecture such as 9.0, 9.0a or 9.0+PTX",
                          node.place(), text));
  }
  return *arch;
}

ManifestOtherCode read_other_code(const Node& node) {
  return {node.at("from").text(), node.at("archs").list(read_arch)};
}

ManifestCuda read_cuda(const Node& node) {
  ManifestCuda cuda;
  cuda.version = node.at("version").text();
  cuda.archs = node.at("archs").list(read_arch);
  if (cuda.archs.empty()) node.fail("cuda.archs is empty");
  if (node.has("additional_archs")) {
    cuda.additional_archs = node.at("additional_archs").list(read_arch);
  }
  if (node.has("other_code")) cuda.other_code = node.at("other_code").list(read_other_code);
  if (node.has("versions")) {
    node.at("versions").members([&cuda](const std::string& name, const Node& version) {
      cuda.versions[name] = version.text();
    });
  }
  return cuda;
}

ManifestRocm read_rocm(const Node& node) {
  ManifestRocm rocm{node.at("version").text(), node.at("archs").list(read_string)};
  if (rocm.archs.empty()) node.fail("rocm.archs is empty");
  return rocm;
}

}  // namespace

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
  const Json json = parse_json<Json>(text);
  const JsonFile file{where, "make the package again; its manifest is written while it is staged"};
  const Node root(json, "", file);
  if (json.is_discarded()) root.fail("it is not valid JSON");
  if (const std::int64_t schema = root.at("schema").integer(); schema != 1) {
    root.fail(fmt::format("its schema is {}, but this torchpkg knows schema 1", schema));
  }
  Manifest manifest;
  manifest.name = root.at("name").text();
  manifest.version = root.at("version").text();
  manifest.backend = root.at("backend").text();
  manifest.backend_kind = root.at("backend_kind").text();
  manifest.product = root.at("product").text();
  manifest.linkage = root.at("linkage").one_of({"shared", "static"});
  manifest.deps = root.at("deps").one_of({"with-deps", "without-deps"});
  manifest.preset = root.at("preset").text();
  manifest.git_version = root.at("git_version").text();
  (void)root.at("compiler").at("id").text();
  (void)root.at("compiler").at("version").text();
  manifest.cxx11_abi = root.at("cxx11_abi").boolean();
  const Node platform = root.at("platform");
  manifest.platform = {platform.at("glibc").text(), platform.at("glibcxx").text(),
                       platform.at("cxxabi").text()};
  root.at("features").members([&manifest](const std::string& name, const Node& node) {
    manifest.features[name] = {node.at("enabled").boolean(), node.text_or_empty("reason")};
  });
  manifest.packages = root.at("packages").list(read_package);
  manifest.bundled = root.at("bundled").list(read_bundled);
  if (root.has("host_libraries")) {
    manifest.host_libraries = root.at("host_libraries").list(read_host_library);
  }
  if (root.has("forbidden_paths")) {
    manifest.forbidden_paths = root.at("forbidden_paths").list(read_string);
  }
  if (root.has("symbols")) manifest.symbols = read_symbols(root.at("symbols"));
  if (root.has("cuda")) manifest.cuda = read_cuda(root.at("cuda"));
  if (!manifest.cuda && manifest.backend_kind == "cuda") {
    root.fail("the member cuda is missing, which a backend of the kind cuda must have");
  }
  if (root.has("rocm")) manifest.rocm = read_rocm(root.at("rocm"));
  if (!manifest.rocm && manifest.backend_kind == "rocm") {
    root.fail("the member rocm is missing, which a backend of the kind rocm must have");
  }
  return manifest;
}

}  // namespace torchpkg
