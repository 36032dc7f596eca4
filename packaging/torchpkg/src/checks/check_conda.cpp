// SPDX-License-Identifier: BSD-3-Clause
#include "checks/check_conda.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

#include "checks/check_conda_cuda.h"
#include "checks/check_conda_libraries.h"
#include "common/error.h"
#include "common/file.h"
#include "common/sha256.h"
#include "common/text.h"
#include "conda/index_json.h"
#include "conda/known_packages.h"
#include "conda/package_reader.h"
#include "zip/reader.h"

namespace torchpkg {

namespace fs = std::filesystem;
using conda::PackageReader;
using conda::TarEntry;
using Json = nlohmann::json;

namespace {

constexpr std::string_view kInfo = "info/";

struct FileFacts {
  TarEntry entry;
  std::string sha256;
};

/// What is inside, read once.
class Contents {
 public:
  Contents(const fs::path& path, const std::vector<std::string>& forbidden)
      : forbidden_(forbidden), mapped_(path) {
    if (!zip::looks_like_zip(mapped_.bytes())) {
      throw Error(ExitCode::kBadInput, path.string() + " is no conda package of format 2",
                  "give one that ends in .conda; packages of format 1 (.tar.bz2) are not read");
    }
    try {
      const zip::Reader reader(mapped_.bytes());
      wrong = zip::name_problems(reader.entries());
      const PackageReader package(mapped_.bytes());
      stem = package.stem();
      read(package, PackageReader::Part::kInfo);
      read(package, PackageReader::Part::kFiles);
    } catch (const Error& error) {
      wrong.emplace_back(error.what());
    }
    check_symlinks();
  }

  std::vector<std::string> wrong;            ///< with the archive itself
  std::string stem;                          ///< of the names of the tars
  std::map<std::string, FileFacts> files;    ///< of the prefix
  PackageFacts libraries;                    ///< of the prefix, for the rows of other files
  std::vector<std::string> wrong_text;       ///< with a text of the prefix
  std::map<std::string, std::string> info;   ///< text of each file of info/
  std::vector<std::string> forbidden_found;  ///< a sentence for each file with a forbidden path

 private:
  void read(const PackageReader& package, PackageReader::Part part) {
    const bool is_info = part == PackageReader::Part::kInfo;
    package.for_each(part, [&](const TarEntry& entry, Bytes content) {
      check_entry(entry, is_info);
      look_for_forbidden(entry, content);
      if (entry.kind == TarEntry::Kind::kFolder) return;
      if (!is_info) note_file(entry, content);
      const bool fresh =
          is_info ? info.emplace(entry.path, as_text(content)).second
                  : files.emplace(entry.path, FileFacts{entry, sha256_hex(content)}).second;
      if (!fresh) wrong.push_back(entry.path + " is there twice");
    });
  }

  void note_file(const TarEntry& entry, Bytes content) {
    note_conda_file(entry, content, libraries);
    try {
      note_conda_text(entry, content, libraries);
    } catch (const Error& error) {
      wrong_text.emplace_back(error.what());
    }
  }

  void check_entry(const TarEntry& entry, bool is_info) {
    if (entry.path.empty() || entry.path.starts_with('/') ||
        ("/" + entry.path + "/").find("/../") != std::string::npos) {
      wrong.push_back(fmt::format("'{}' is no name inside the prefix", entry.path));
    }
    if (is_info != entry.path.starts_with(kInfo)) {
      wrong.push_back(fmt::format("{} is in the wrong one of the two tars", entry.path));
    }
    if (entry.kind == TarEntry::Kind::kHardLink || entry.kind == TarEntry::Kind::kOther) {
      wrong.push_back(entry.path + " is neither file, folder nor symlink");
    }
  }

  void look_for_forbidden(const TarEntry& entry, Bytes content) {
    for (const std::string& path : forbidden_) {
      if (!content.empty() &&
          ::memmem(content.data(), content.size(), path.data(), path.size()) != nullptr) {
        forbidden_found.push_back(fmt::format("{} has {}", entry.path, path));
      }
    }
  }

  /// Each leads to something in the prefix; it may be another package's.
  void check_symlinks() {
    for (const auto& [path, file] : files) {
      if (file.entry.kind != TarEntry::Kind::kSymlink) continue;
      const fs::path target = (fs::path(path).parent_path() / file.entry.target).lexically_normal();
      if (file.entry.target.starts_with('/') || target.empty() || *target.begin() == "..") {
        wrong.push_back(
            fmt::format("{} is a symlink to {}, outside the prefix", path, file.entry.target));
      }
    }
  }

  const std::vector<std::string>& forbidden_;
  MappedFile mapped_;
};

using Problems = std::vector<std::string>;

const std::string* info_text(const Contents& contents, const char* name, Problems& wrong) {
  const auto found = contents.info.find(std::string(kInfo) + name);
  if (found != contents.info.end()) return &found->second;
  wrong.push_back(fmt::format("info/{} is missing", name));
  return nullptr;
}

void compare_names(const conda::IndexJson& index, const Contents& contents, const fs::path& package,
                   Problems& wrong) {
  const std::string file = package.filename().string();
  if (file != index.stem() + ".conda") {
    wrong.push_back(fmt::format("index.json is of {}, the file is called {}", index.stem(), file));
  }
  if (contents.stem != index.stem()) {
    wrong.push_back(
        fmt::format("index.json is of {}, the tars are called {}", index.stem(), contents.stem));
  }
  const std::string folder = fs::absolute(package).parent_path().filename().string();
  if (conda::is_subdir(folder) && folder != index.subdir) {
    wrong.push_back(fmt::format("the subdir of index.json is {}, but the package lies in {}/",
                                index.subdir, folder));
  }
}

/// The match specs of a list of index.json; what is none is added to `wrong`.
std::vector<conda::MatchSpec> specs_of(const conda::IndexJson& index, const char* list,
                                       Problems& wrong) {
  std::vector<conda::MatchSpec> specs;
  if (!index.json.contains(list)) return specs;
  for (const auto& text : index.json.at(list)) {
    try {
      specs.push_back(conda::parse_match_spec(text.get<std::string>()));
    } catch (const Error& error) {
      wrong.push_back(fmt::format("{} of index.json: {}", list, error.what()));
    }
  }
  return specs;
}

/// index.json against the names, and what it says of the libraries; nothing when it is missing or
/// wrong.
std::optional<CondaHost> read_index(const Contents& contents, const fs::path& package,
                                    Problems& wrong) {
  const std::string* text = info_text(contents, "index.json", wrong);
  if (text == nullptr) return std::nullopt;
  try {
    const conda::IndexJson index = conda::parse_index_json(*text, "index.json");
    compare_names(index, contents, package, wrong);
    const std::size_t before = wrong.size();
    CondaHost host{index.name, index.subdir, specs_of(index, "depends", wrong)};
    specs_of(index, "constrains", wrong);
    if (wrong.size() == before) return host;
  } catch (const Error& error) {
    wrong.emplace_back(error.what());
  }
  return std::nullopt;
}

/// A text of an entry of paths.json; empty when it is missing or no text.
std::string text_of(const Json& path, const char* member) {
  const Json value = path.value(member, Json());
  return value.is_string() ? value.get<std::string>() : "";
}

/// An entry of paths.json against the file.
void compare_path(const Json& path, const FileFacts& file, Problems& wrong) {
  const std::string& name = file.entry.path;
  const bool link = file.entry.kind == TarEntry::Kind::kSymlink;
  const std::string type = text_of(path, "path_type");
  if (type != (link ? "softlink" : "hardlink")) {
    wrong.push_back(fmt::format("paths.json calls {} a {}", name, type));
  }
  if (link) return;
  if (text_of(path, "sha256") != file.sha256) {
    wrong.push_back(fmt::format("paths.json has another SHA-256 than {}", name));
  }
  if (path.value("size_in_bytes", Json()) != file.entry.size) {
    wrong.push_back(fmt::format("paths.json has another size than {}", name));
  }
}

void compare_paths(const Contents& contents, Problems& wrong) {
  const std::string* text = info_text(contents, "paths.json", wrong);
  if (text == nullptr) return;
  const Json json = Json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.value("paths", Json()).is_array()) {
    wrong.emplace_back("paths.json is no JSON object with a list of paths");
    return;
  }
  std::set<std::string> listed;
  for (const Json& path : json.at("paths")) {
    const std::string name = path.is_object() ? text_of(path, "_path") : "";
    const auto found = contents.files.find(name);
    if (!listed.insert(name).second) {
      wrong.push_back(fmt::format("paths.json lists {} twice", name));
    } else if (found == contents.files.end()) {
      wrong.push_back(fmt::format("paths.json lists '{}', which is not inside", name));
    } else {
      compare_path(path, found->second, wrong);
    }
  }
  for (const auto& [name, file] : contents.files) {
    if (listed.count(name) == 0) wrong.push_back("paths.json does not list " + name);
  }
}

void compare_file_list(const Contents& contents, Problems& wrong) {
  const std::string* text = info_text(contents, "files", wrong);
  if (text == nullptr) return;
  std::vector<std::string> listed = split(*text, '\n');
  std::erase(listed, "");
  std::sort(listed.begin(), listed.end());
  std::vector<std::string> inside;
  for (const auto& [name, file] : contents.files) inside.push_back(name);
  if (listed != inside) wrong.emplace_back("info/files lists others than are inside");
}

}  // namespace

std::vector<Row> check_conda(const fs::path& package, const std::vector<std::string>& forbidden) {
  const Contents contents(package, forbidden);
  const std::string looked_at = fmt::format("{} files", contents.files.size());
  std::vector<Row> rows;
  const auto add = [&](const char* name, const std::string& of, const char* limit, Problems wrong,
                       const std::string& good) {
    Row row{0, name, of, "", limit};
    row.decide(std::move(wrong), good);
    rows.push_back(std::move(row));
  };
  add("archive", looked_at, "both tars complete; names and symlinks inside the prefix",
      contents.wrong, "all entries read, the checksums right");
  Problems wrong;
  Problems unlicensed;
  std::optional<CondaHost> host;
  if (contents.wrong.empty()) {
    host = read_index(contents, package, wrong);
    compare_paths(contents, wrong);
    compare_file_list(contents, wrong);
    wrong.insert(wrong.end(), contents.wrong_text.begin(), contents.wrong_text.end());
    const auto first = contents.info.lower_bound("info/licenses/");
    if (first == contents.info.end() || !first->first.starts_with("info/licenses/")) {
      unlicensed.emplace_back("info/licenses is empty");
    }
  }
  add("conda", looked_at, "index.json, paths.json and files agree with what is inside",
      std::move(wrong), fmt::format("{} lines of paths.json", contents.files.size()));
  for (Row& row : check_conda_libraries(contents.libraries, host)) rows.push_back(std::move(row));
  for (Row& row : check_conda_cuda(contents.libraries, host)) rows.push_back(std::move(row));
  add("licences", "info/licenses", "licence texts", std::move(unlicensed), "there");
  add("build-paths", looked_at, "none of the forbidden paths in any file", contents.forbidden_found,
      "none");
  if (!contents.wrong.empty()) {
    for (std::size_t i = 1; i < rows.size(); ++i) {
      rows[i].verdict = Verdict::kNotApplicable;
      rows[i].details.clear();
      rows[i].found = "the archive is damaged";
    }
  }
  return rows;
}

}  // namespace torchpkg
