// SPDX-License-Identifier: BSD-3-Clause
// The files against the two bills of materials that lie among them.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "checks/checks.h"
#include "checks/compare_list.h"
#include "common/json.h"

namespace torchpkg {

namespace {

using Json = nlohmann::json;
using Problems = std::vector<std::string>;
using Named = std::pair<std::string, std::string>;  // a file, and its SHA-256

/// Null when `json` is not an object with this member.
const Json& member(const Json& json, const char* name) {
  static const Json none;
  const auto found = json.is_object() ? json.find(name) : json.end();
  return found == json.end() ? none : *found;
}

std::string text_of(const Json& json, const char* name) {
  const Json& text = member(json, name);
  return text.is_string() ? text.get<std::string>() : "";
}

/// The `value` of the object in a list whose `key` is `wanted`; empty without one.
std::string text_in(const Json& list, const char* key, const char* wanted, const char* value) {
  for (const Json& item : list) {
    if (text_of(item, key) == wanted) return text_of(item, value);
  }
  return {};
}

std::string link_to(const std::string& target) { return "a symlink to " + target; }

std::vector<Named> named_by_cyclonedx(const Json& bill) {
  std::vector<Named> files;
  for (const Json& file : member(member(member(bill, "metadata"), "component"), "components")) {
    const std::string sum = text_in(member(file, "hashes"), "alg", "SHA-256", "content");
    const std::string target =
        text_in(member(file, "properties"), "name", "torch-superbuild:symlink", "value");
    files.emplace_back(text_of(file, "name"), sum.empty() ? link_to(target) : sum);
  }
  return files;
}

std::vector<Named> named_by_spdx(const Json& bill) {
  std::vector<Named> files;
  for (const Json& file : member(bill, "files")) {
    if (!text_of(file, "SPDXID").starts_with("SPDXRef-File-")) continue;  // a patch
    const std::string name = text_of(file, "fileName");
    files.emplace_back(name.substr(name.starts_with("./") ? 2 : 0),
                       text_in(member(file, "checksums"), "algorithm", "SHA256", "checksumValue"));
  }
  return files;
}

struct Format {
  const char* suffix;
  std::vector<Named> (*named)(const Json&);
  bool has_links;  ///< SPDX knows of no symlinks
};
constexpr std::array<Format, 2> kFormats{
    {{".spdx.json", named_by_spdx, false}, {".cdx.json", named_by_cyclonedx, true}}};

/// What no bill can have: it is written when such an artifact is packed, or is the bill. The rows
/// wheel and conda look at it. packaging/sbom/add_files.py has the same list.
bool is_left_out(const PackageFacts& facts, const std::string& path) {
  if (is_bill(path)) return true;
  if (facts.wheel) {
    return path == facts.wheel->dist_info + "/RECORD" || path == facts.wheel->dist_info + "/WHEEL";
  }
  return facts.conda && (path == "info/index.json" || path == "info/paths.json" ||
                         path == "info/files" || path == "info/has_prefix");
}

/// The files by the names that a bill has for them.
std::map<std::string, std::string> files_inside(const PackageFacts& facts, bool with_links) {
  std::map<std::string, std::string> inside;
  for (const PackageFile& file : facts.files) {
    const auto sum = facts.sha256.find(file.path);
    if (is_left_out(facts, file.path) || (file.symlink && !with_links)) continue;
    const std::string name = facts.wheel ? name_in_wheel(file.path) : file.path;
    // The row archive says why a file could not be read.
    inside[name] = file.symlink                ? link_to(file.target)
                   : sum == facts.sha256.end() ? ""
                                               : sum->second;
  }
  return inside;
}

}  // namespace

void compare_list(const std::string& list, const std::vector<Named>& listed,
                  const std::map<std::string, std::string>& inside, Problems& wrong) {
  std::map<std::string, std::string> missing = inside;
  for (const auto& [path, said] : listed) {
    const auto found = inside.find(path);
    if (found == inside.end()) {
      wrong.push_back(fmt::format("{} lists '{}', which is not inside", list, path));
    } else if (missing.erase(path) == 0) {
      wrong.push_back(fmt::format("{} lists {} twice", list, path));
    } else if (found->second != said) {
      wrong.push_back(fmt::format("{} is {}, but {} says {}", path, found->second, list, said));
    }
  }
  for (const auto& [path, said] : missing) {
    wrong.push_back(fmt::format("{} does not list {}", list, path));
  }
}

void check_bill(const PackageFacts& facts, Row& row) {
  row.looked_at = fmt::format("{} files", facts.files.size());
  row.limit = "those that both bills of materials name, with these hashes";
  Problems wrong;
  for (const Format& format : kFormats) {
    std::vector<std::string> bills;
    for (const auto& [path, text] : facts.texts) {
      if (is_bill(path) && path.ends_with(format.suffix)) bills.push_back(path);
    }
    if (bills.size() != 1) {
      wrong.push_back(fmt::format("{} bills of materials (*{}) are inside, not one", bills.size(),
                                  format.suffix));
      continue;
    }
    const std::string name = bills[0].substr(bills[0].rfind('/') + 1);
    const Json bill = parse_json<Json>(facts.texts.at(bills[0]));
    if (bill.is_discarded()) {
      wrong.push_back(name + " is not JSON");
      continue;
    }
    compare_list(name, format.named(bill), files_inside(facts, format.has_links), wrong);
  }
  row.decide(std::move(wrong), fmt::format("{} hashes agree", facts.sha256.size()));
}

}  // namespace torchpkg
