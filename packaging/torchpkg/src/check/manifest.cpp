// SPDX-License-Identifier: BSD-3-Clause
#include "check/manifest.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "common/error.h"

namespace torchpkg {

namespace {

using Json = nlohmann::json;

std::vector<SymbolRule> rules(const Json& list, const char* label) {
  std::vector<SymbolRule> all;
  for (const Json& rule : list) all.push_back({rule.at(label), rule.at("names")});
  return all;
}

std::vector<WantedArch> archs(const Json& list) {
  std::vector<WantedArch> all;
  for (const Json& item : list) {
    const auto text = item.get<std::string>();
    const std::optional<WantedArch> arch = parse_wanted_arch(text);
    if (!arch) {
      throw std::invalid_argument(
          fmt::format("\"{}\" is not an architecture such as 9.0, 9.0a or 9.0+PTX", text));
    }
    all.push_back(*arch);
  }
  return all;
}

CudaManifest read_cuda(const Json& json) {
  CudaManifest cuda;
  json.at("version").get_to(cuda.version);
  cuda.archs = archs(json.at("archs"));
  cuda.additional_archs = archs(json.value("additional_archs", Json::array()));
  for (const Json& code : json.value("other_code", Json::array())) {
    cuda.other_code.push_back({code.at("from"), archs(code.at("archs"))});
  }
  cuda.slice = archs(json.value("slice", Json::array()));
  cuda.versions = json.value("versions", cuda.versions);
  return cuda;
}

Manifest read(const Json& json) {
  Manifest manifest;
  json.at("version").get_to(manifest.version);
  json.at("backend").get_to(manifest.backend);
  json.at("backend_kind").get_to(manifest.backend_kind);
  json.at("product").get_to(manifest.product);
  manifest.is_static = json.at("linkage").get<std::string>() == "static";
  manifest.with_deps = json.at("deps").get<std::string>() == "with-deps";
  json.at("cxx11_abi").get_to(manifest.cxx11_abi);
  json.at("platform").get_to(manifest.platform);
  const Json openmp = json.at("features").value("OPENMP", Json::object());
  manifest.openmp = openmp.value("enabled", true);
  for (const auto& [name, feature] : json.at("features").items()) {
    if (feature.value("enabled", false)) manifest.features.push_back(name);
  }
  for (const Json& library : json.at("bundled")) {
    manifest.bundled.push_back(library.at("file"));
    if (library.value("unchanged", false)) manifest.unchanged.push_back(library.at("file"));
  }
  for (const Json& library : json.value("host_libraries", Json::array())) {
    manifest.host_libraries.push_back({library.at("name"), library.at("symbol_versions")});
  }
  if (json.contains("symbols")) {
    const Json& symbols = json.at("symbols");
    manifest.symbols = {rules(symbols.at("hidden"), "library"),
                        rules(symbols.at("exported"), "why")};
  }
  if (manifest.backend_kind == "cuda") manifest.cuda = read_cuda(json.at("cuda"));
  if (manifest.backend_kind == "rocm") {
    manifest.rocm_archs = json.at("rocm").at("archs").get<std::vector<std::string>>();
  }
  return manifest;
}

}  // namespace

bool Manifest::is_bundled(std::string_view file) const {
  return std::find(bundled.begin(), bundled.end(), file) != bundled.end();
}

bool Manifest::is_unchanged(std::string_view file) const {
  return std::find(unchanged.begin(), unchanged.end(), file) != unchanged.end();
}

Manifest parse_manifest(std::string_view text, const std::string& where) {
  std::string what;
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    // [json.exception.out_of_range.403] (/cuda) key 'archs' not found
    const std::string_view message = error.what();
    what = message.substr(message.find(' ') + 1);
  } catch (const std::invalid_argument& error) {
    what = error.what();
  }
  throw Error(ExitCode::kBadInput, where + ": " + what, "make the package again");
}

}  // namespace torchpkg
