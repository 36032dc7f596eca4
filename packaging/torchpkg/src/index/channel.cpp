// SPDX-License-Identifier: BSD-3-Clause
#include "index/channel.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "common/file.h"

namespace torchpkg::index {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kRepodata = "repodata.json";

Json record_of(const CondaArtifact& package) {
  Json record = package.index.json;
  record["sha256"] = package.sha256;
  record["size"] = package.size;
  return record;
}

}  // namespace

void write_channel(const fs::path& folder, const std::vector<CondaArtifact>& packages) {
  std::map<std::string, Json> platforms;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    // One of an earlier run whose packages may be gone.
    if (!fs::exists(entry.path() / kRepodata, ignored)) continue;
    platforms[entry.path().filename().string()] = Json::object();
  }
  if (packages.empty() && platforms.empty()) return;
  platforms["noarch"];
  for (const CondaArtifact& package : packages) {
    const std::string file = fs::path(package.file).filename().string();
    platforms[package.index.subdir][file] = record_of(package);
  }
  for (const auto& [platform, records] : platforms) {
    const Json repodata{{"info", {{"subdir", platform}}},
                        {"packages", Json::object()},
                        {"packages.conda", records.is_null() ? Json::object() : records},
                        {"removed", Json::array()},
                        {"repodata_version", 1}};
    write_text_atomically(folder / platform / kRepodata, repodata.dump(1) + "\n");
  }
}

}  // namespace torchpkg::index
