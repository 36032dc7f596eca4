// SPDX-License-Identifier: BSD-3-Clause
// What only conda packages have: info/index.json, info/paths.json, info/files. And that a client
// that installs one writes what is inside, and runs nothing of it.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>

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

/// Where our packages have files, and what they, or those of conda-build and rattler-build, have in
/// info/. Clients take some other names for something to do: info/link.json and info/no_link,
/// scripts (bin/.demo-post-link.sh, Scripts/), Menu/, conda-meta/, etc/conda/.
constexpr std::array<std::string_view, 8> kFolders{"bin/",       "include/",       "lib/",
                                                   "share/",     "info/licenses/", "info/recipe/",
                                                   "info/test/", "info/tests/"};
constexpr std::array<std::string_view, 8> kInInfo{"about.json", "files",           "git",
                                                  "has_prefix", "hash_input.json", "index.json",
                                                  "paths.json", "run_exports.json"};

/// The members of an entry of paths.json; the last one is conda-build's, and says nothing new.
constexpr std::array<std::string_view, 7> kMembers{
    "_path",     "path_type",  "sha256", "size_in_bytes", "prefix_placeholder",
    "file_mode", "inode_paths"};

template <class List>
bool has(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// Names by which a client does more than write a file, and a file that the checks would take for
/// another one: they look beside the manifest first.
void look_at_places(const PackageFacts& facts, Problems& wrong) {
  const std::string& home = facts.roots[0];
  for (const PackageFile& file : facts.files) {
    const std::string& path = file.path;
    const bool known = std::any_of(kFolders.begin(), kFolders.end(),
                                   [&path](auto folder) { return path.starts_with(folder); });
    const bool in_info = path.starts_with(kInfo) && has(kInInfo, path.substr(kInfo.size()));
    if ((!known && !in_info) || path.starts_with("bin/.")) {
      wrong.push_back(fmt::format(
          "{}: our packages have nothing of that name, by which a client may run or change "
          "something; leave it out",
          path));
    }
    if (path.starts_with(home) && facts.paths.count(path.substr(home.size())) != 0) {
      wrong.push_back(fmt::format("{} would be looked at instead of {}; leave it out", path,
                                  path.substr(home.size())));
    }
  }
}

const std::string* info_text(const PackageFacts& facts, const char* name, Problems& wrong) {
  const std::string* text = facts.text_at(std::string(kInfo) + name);
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

/// What else than to write a file an entry of paths.json asks for. The prefix may get into the
/// first line of a Python script of bin/ only: then `prefixes` gets its line of has_prefix, in both
/// forms.
void look_at_entry(const PackageFacts& facts, const Json& entry, std::set<std::string>& prefixes,
                   Problems& wrong) {
  const std::string path = text_of(entry, "_path");
  for (const auto& [member, value] : entry.items()) {
    if (has(kMembers, member)) continue;
    wrong.push_back(fmt::format(
        "paths.json has the member {} of {}, by which a client may change it; leave it out", member,
        path));
  }
  if (!entry.contains("prefix_placeholder") && !entry.contains("file_mode")) return;
  const std::string placeholder = text_of(entry, "prefix_placeholder");
  const std::string* script = path.starts_with("bin/") ? facts.text_at(path) : nullptr;
  if (script == nullptr || text_of(entry, "file_mode") != "text" ||
      script->substr(0, script->find('\n')) != "#!" + placeholder + "/bin/python" ||
      script->find(placeholder) != 2 || script->rfind(placeholder) != 2) {
    wrong.push_back(fmt::format(
        "paths.json has a prefix_placeholder or file_mode of {}, by which a client would change "
        "more than the first line of a Python script; leave it out",
        path));
  }
  prefixes.insert(fmt::format("{} text {}", placeholder, path));
  prefixes.insert(fmt::format("\"{}\" text \"{}\"", placeholder, path));
}

/// What clients of before paths.json read.
void compare_prefixes(const PackageFacts& facts, const std::set<std::string>& prefixes,
                      Problems& wrong) {
  const std::string* text = facts.text_at(std::string(kInfo) + "has_prefix");
  if (text == nullptr) return;
  for (const std::string& line : split(*text, '\n')) {
    if (prefixes.count(line) != 0) continue;
    wrong.push_back(fmt::format(
        "info/has_prefix has the line '{}', which does not follow from paths.json; leave it out",
        line));
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
  const auto words = [](const std::string& type, const std::string& sha256, auto size) {
    return type == "softlink" ? type : fmt::format("{} {} of {} bytes", type, sha256, size);
  };
  std::vector<std::pair<std::string, std::string>> listed;
  std::set<std::string> prefixes;
  for (const Json& entry : json.at("paths")) {
    const Json path = entry.is_object() ? entry : Json::object();
    listed.emplace_back(text_of(path, "_path"),
                        words(text_of(path, "path_type"), text_of(path, "sha256"),
                              path.value("size_in_bytes", Json()).dump()));
    look_at_entry(facts, path, prefixes, wrong);
  }
  compare_prefixes(facts, prefixes, wrong);
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
  row.limit = "index.json, paths.json and files agree with what is inside, and clients run nothing";
  Problems wrong = facts.conda->index_problems;
  look_at_places(facts, wrong);
  if (!facts.is_archive) {
    return row.decide(std::move(wrong), "a folder: paths.json is written when it is packed");
  }
  if (facts.conda->index) compare_names(facts, *facts.conda->index, wrong);
  compare_paths(facts, files, wrong);
  compare_file_list(facts, files, wrong);
  row.decide(std::move(wrong), fmt::format("{} lines of paths.json", files.size()));
}

}  // namespace torchpkg
