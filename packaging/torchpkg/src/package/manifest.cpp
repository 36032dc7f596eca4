// SPDX-License-Identifier: BSD-3-Clause
#include "package/manifest.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "common/error.h"
#include "common/json.h"
#include "common/text.h"

namespace torchpkg {

namespace {

using Json = nlohmann::json;

/// A JSON value that knows its place, so that every message can name it.
class Node {
 public:
  Node(const Json& json, std::string place, const std::string& where)
      : json_(json), place_(std::move(place)), where_(where) {}

  [[nodiscard]] Node at(const std::string& key) const {
    expect(json_.is_object(), "an object");
    const auto found = json_.find(key);
    const std::string place = place_.empty() ? key : place_ + "." + key;
    if (found == json_.end()) fail(fmt::format("the member {} is missing", place));
    return {*found, place, where_};
  }

  [[nodiscard]] bool has(const std::string& key) const {
    expect(json_.is_object(), "an object");
    const auto found = json_.find(key);
    return found != json_.end() && !found->is_null();
  }

  [[nodiscard]] std::string text() const {
    expect(json_.is_string(), "a string");
    return json_.get<std::string>();
  }

  [[nodiscard]] std::string text_or_empty(const std::string& key) const {
    return has(key) ? at(key).text() : std::string();
  }

  [[nodiscard]] bool boolean() const {
    expect(json_.is_boolean(), "true or false");
    return json_.get<bool>();
  }

  [[nodiscard]] std::int64_t integer() const {
    expect(json_.is_number_integer(), "an integer");
    return json_.get<std::int64_t>();
  }

  template <typename Make>
  [[nodiscard]] auto list(Make make) const {
    expect(json_.is_array(), "an array");
    std::vector<decltype(make(*this))> items;
    for (std::size_t i = 0; i < json_.size(); ++i) {
      items.push_back(make(Node(json_[i], fmt::format("{}[{}]", place_, i), where_)));
    }
    return items;
  }

  template <typename Visit>
  void members(Visit visit) const {
    expect(json_.is_object(), "an object");
    for (const auto& item : json_.items()) visit(item.key(), at(item.key()));
  }

  /// One of the words allowed here.
  [[nodiscard]] std::string one_of(std::initializer_list<std::string_view> words) const {
    std::string value = text();
    std::string all;
    for (const std::string_view word : words) {
      if (value == word) return value;
      all += fmt::format("{}{}", all.empty() ? "" : ", ", word);
    }
    fail(fmt::format("the member {} is \"{}\", not one of: {}", place_, value, all));
  }

  [[nodiscard]] const std::string& place() const { return place_; }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ExitCode::kBadInput, fmt::format("{}: {}", where_, what),
                "make the package again; its manifest is written while it is staged");
  }

 private:
  void expect(bool right, std::string_view type) const {
    if (right) return;
    fail(fmt::format("{} must be {}, but is {}", place_.empty() ? "the file" : place_, type,
                     json_.type_name()));
  }

  const Json& json_;
  std::string place_;
  const std::string& where_;
};

ManifestSource read_source(const Node& node) {
  return {node.at("name").text(),       node.at("version").text(),
          node.text_or_empty("commit"), node.text_or_empty("sha256"),
          node.at("provider").text(),   node.text_or_empty("tree_sha256"),
          node.text_or_empty("in")};
}

ManifestPackage read_package(const Node& node) {
  ManifestPackage package;
  package.name = node.at("name").text();
  package.version = node.at("version").text();
  package.license = node.at("license").text();
  package.fingerprint = node.at("fingerprint").text();
  package.sources = node.at("sources").list(read_source);
  const auto anything = [](const Node&) { return true; };
  (void)node.at("patches").list(anything);
  (void)node.at("options").list(anything);
  return package;
}

ManifestBundled read_bundled(const Node& node) {
  return {node.at("name").text(), node.at("from").text(), node.at("sha256").text(),
          node.at("file").text()};
}

std::string read_string(const Node& node) { return node.text(); }

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
  const Node root(json, "", where);
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
