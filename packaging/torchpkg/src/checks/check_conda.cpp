// SPDX-License-Identifier: BSD-3-Clause
// What only conda packages have: info/index.json, info/paths.json, info/files.
#include <fmt/core.h>

#include "checks/checks.h"
#include "checks/compare_list.h"
#include "common/json.h"
#include "common/text.h"
#include "conda/known_packages.h"

namespace torchpkg {

using Json = nlohmann::json;

namespace {

using Problems = std::vector<std::string>;
using Files = std::map<std::string, const PackageFile*>;

constexpr std::string_view kInfo = "info/";

const std::string* info_text(const PackageFacts& facts, const char* name, Problems& wrong) {
  const std::string* text = facts.text(std::string(kInfo) + name);
  if (text == nullptr) wrong.push_back(fmt::format("info/{} is missing", name));
  return text;
}

void compare_names(const PackageFacts& facts, const CondaIndex& index, Problems& wrong) {
  if (facts.name != index.stem + ".conda") {
    wrong.push_back(
        fmt::format("index.json is of {}, the file is called {}", index.stem, facts.name));
  }
  if (facts.conda->stem != index.stem) {
    wrong.push_back(
        fmt::format("index.json is of {}, the tars are called {}", index.stem, facts.conda->stem));
  }
  if (conda::is_subdir(facts.lies_in) && facts.lies_in != index.subdir) {
    wrong.push_back(fmt::format("the subdir of index.json is {}, but the package lies in {}/",
                                index.subdir, facts.lies_in));
  }
}

/// A text of an entry of paths.json; empty when it is missing or no text.
std::string text_of(const Json& path, const char* member) {
  const Json value = path.value(member, Json());
  return value.is_string() ? value.get<std::string>() : "";
}

void compare_paths(const PackageFacts& facts, const Files& files, Problems& wrong) {
  const std::string* text = info_text(facts, "paths.json", wrong);
  if (text == nullptr) return;
  const Json json = parse_json<Json>(*text);
  if (!json.is_object() || !json.value("paths", Json()).is_array()) {
    wrong.emplace_back("paths.json is not a JSON object with a list of paths");
    return;
  }
  const auto words = [](const std::string& type, const std::string& sha256, auto size) {
    return type == "softlink" ? type : fmt::format("{} {} of {} bytes", type, sha256, size);
  };
  std::vector<std::pair<std::string, std::string>> listed;
  for (const Json& entry : json.at("paths")) {
    const Json path = entry.is_object() ? entry : Json::object();
    listed.emplace_back(text_of(path, "_path"),
                        words(text_of(path, "path_type"), text_of(path, "sha256"),
                              path.value("size_in_bytes", Json()).dump()));
  }
  std::map<std::string, std::string> inside;
  for (const auto& [name, file] : files) {
    inside[name] =
        file->symlink ? "softlink" : words("hardlink", facts.sha256.at(name), file->size);
  }
  compare_list("paths.json", listed, inside, wrong);
}

void compare_file_list(const PackageFacts& facts, const Files& files, Problems& wrong) {
  const std::string* text = info_text(facts, "files", wrong);
  if (text == nullptr) return;
  std::vector<std::pair<std::string, std::string>> listed;
  for (const std::string& line : split(*text, '\n')) {
    if (!line.empty()) listed.emplace_back(line, "");
  }
  std::map<std::string, std::string> inside;
  for (const auto& [name, file] : files) inside.emplace(name, "");
  compare_list("info/files", listed, inside, wrong);
}

}  // namespace

void check_conda(const PackageFacts& facts, Row& row) {
  Files files;  // of the prefix
  for (const PackageFile& file : facts.files) {
    if (!file.path.starts_with(kInfo)) files[file.path] = &file;
  }
  row.looked_at = fmt::format("{} files", files.size());
  row.limit = "index.json, paths.json and files agree with what is inside";
  Problems wrong = facts.conda->index_problems;
  if (!facts.is_archive) {
    return row.decide(std::move(wrong), "a folder: paths.json is written when it is packed");
  }
  if (facts.conda->index) compare_names(facts, *facts.conda->index, wrong);
  compare_paths(facts, files, wrong);
  compare_file_list(facts, files, wrong);
  row.decide(std::move(wrong), fmt::format("{} lines of paths.json", files.size()));
}

}  // namespace torchpkg
