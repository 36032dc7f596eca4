// SPDX-License-Identifier: BSD-3-Clause
// What only conda packages have: info/index.json, info/paths.json, info/files.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "checks/checks.h"
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

/// An entry of paths.json against the file.
void compare_path(const Json& path, const PackageFacts& facts, const PackageFile& file,
                  Problems& wrong) {
  const std::string& name = file.path;
  const std::string type = text_of(path, "path_type");
  if (type != (file.symlink ? "softlink" : "hardlink")) {
    wrong.push_back(fmt::format("paths.json calls {} a {}", name, type));
  }
  if (file.symlink) return;
  if (text_of(path, "sha256") != facts.sha256.at(name)) {
    wrong.push_back(fmt::format("paths.json has another SHA-256 than {}", name));
  }
  if (path.value("size_in_bytes", Json()) != file.size) {
    wrong.push_back(fmt::format("paths.json has another size than {}", name));
  }
}

void compare_paths(const PackageFacts& facts, const Files& files, Problems& wrong) {
  const std::string* text = info_text(facts, "paths.json", wrong);
  if (text == nullptr) return;
  const Json json = parse_json<Json>(*text);
  if (!json.is_object() || !json.value("paths", Json()).is_array()) {
    wrong.emplace_back("paths.json is not a JSON object with a list of paths");
    return;
  }
  std::set<std::string> listed;
  for (const Json& path : json.at("paths")) {
    const std::string name = path.is_object() ? text_of(path, "_path") : "";
    const auto found = files.find(name);
    if (!listed.insert(name).second) {
      wrong.push_back(fmt::format("paths.json lists {} twice", name));
    } else if (found == files.end()) {
      wrong.push_back(fmt::format("paths.json lists '{}', which is not inside", name));
    } else {
      compare_path(path, facts, *found->second, wrong);
    }
  }
  for (const auto& [name, file] : files) {
    if (listed.count(name) == 0) wrong.push_back("paths.json does not list " + name);
  }
}

void compare_file_list(const PackageFacts& facts, const Files& files, Problems& wrong) {
  const std::string* text = info_text(facts, "files", wrong);
  if (text == nullptr) return;
  std::vector<std::string> listed = split(*text, '\n');
  std::erase(listed, "");
  std::sort(listed.begin(), listed.end());
  std::vector<std::string> inside;
  for (const auto& [name, file] : files) inside.push_back(name);
  if (listed != inside) wrong.emplace_back("info/files lists others than are inside");
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
