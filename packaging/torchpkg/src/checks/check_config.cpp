// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "checks/checks.h"
#include "common/text.h"
#include "package/header_versions.h"

namespace torchpkg {

namespace {

constexpr const char* kConfig = "share/cmake/Torch/TorchConfig.cmake";
constexpr const char* kConfigVersion = "share/cmake/Torch/TorchConfigVersion.cmake";

/// The text behind `#define TORCH_VERSION`, which upstream puts on a line of its own.
std::string defined_version(const std::string& header) {
  const std::size_t at = header.find("#define TORCH_VERSION ");
  const std::size_t begin = at == std::string::npos ? at : header.find('"', at);
  const std::size_t end = begin == std::string::npos ? begin : header.find('"', begin + 1);
  return end == std::string::npos ? std::string() : header.substr(begin + 1, end - begin - 1);
}

void compare_header(const PackageFacts& facts, std::vector<std::string>& wrong) {
  constexpr const char* kInner = "include/torch/csrc/api/include/torch/version.h";
  constexpr const char* kOuter = "include/torch/version.h";
  const std::string* header =
      facts.text(kInner) != nullptr ? facts.text(kInner) : facts.text(kOuter);
  if (header == nullptr) {
    wrong.push_back(fmt::format("{} is missing", kInner));
    return;
  }
  const std::string base = facts.manifest.base_version();
  const std::string text = defined_version(*header);
  const std::string numbers = defined_number(*header, "TORCH_VERSION_MAJOR") + "." +
                              defined_number(*header, "TORCH_VERSION_MINOR") + "." +
                              defined_number(*header, "TORCH_VERSION_PATCH");
  if (text != base) {
    wrong.push_back(fmt::format("TORCH_VERSION in version.h is \"{}\", the manifest says {}", text,
                                facts.manifest.version));
  }
  if (numbers != ".." && numbers != base) {
    wrong.push_back(
        fmt::format("TORCH_VERSION_MAJOR, _MINOR, _PATCH in version.h are {}, the "
                    "manifest says {}",
                    numbers, facts.manifest.version));
  }
}

void compare_file(const PackageFacts& facts, const char* file, const std::string& expected,
                  std::vector<std::string>& wrong) {
  const std::string* text = facts.text(file);
  if (text == nullptr) {
    wrong.push_back(fmt::format("{} is missing", file));
  } else if (trimmed(*text) != expected) {
    wrong.push_back(
        fmt::format("{} says {}, the manifest says {}", file, trimmed(*text), expected));
  }
}

/// What find_package(Torch <version>) compares with.
void compare_config_version(const PackageFacts& facts, std::vector<std::string>& wrong) {
  const std::string* text = facts.text(kConfigVersion);
  if (text == nullptr) return;  // the row config-files says so
  static const std::regex pattern(R"re(set\(PACKAGE_VERSION "([^"]*)"\))re");
  std::smatch match;
  if (!std::regex_search(*text, match, pattern)) {
    wrong.push_back(fmt::format("{} sets no PACKAGE_VERSION", kConfigVersion));
  } else if (match[1] != facts.manifest.base_version()) {
    wrong.push_back(fmt::format("{} says {}, the manifest says {}", kConfigVersion, match[1].str(),
                                facts.manifest.version));
  }
}

/// The absolute paths in a line of a CMake or pkg-config file, except for the place where NVIDIA's
/// toolkit is looked for.
std::vector<std::string> absolute_paths_in(const std::string& line) {
  static const std::regex pattern(
      R"((^|[\s"';=,:(]|-[BFIL])(/(usr|lib|lib64|home|root|opt|tmp|var|build|mnt|srv|data|work|src)(/[\w.+~@%-]+)*)(?![\w.+~@%-]))");
  static const std::regex toolkit(R"(/usr/local/cuda(-[0-9.]+)?)");
  std::vector<std::string> paths;
  for (std::sregex_iterator match(line.begin(), line.end(), pattern), end; match != end; ++match) {
    const std::string path = (*match)[2];
    if (!std::regex_match(path, toolkit)) paths.push_back(path);
  }
  return paths;
}

void check_pins(const Manifest& manifest, std::vector<std::string>& wrong) {
  bool torch_found = false;
  for (const ManifestPackage& package : manifest.packages) {
    if (package.sources.empty()) {
      wrong.push_back(fmt::format("the manifest names no source of {}", package.name));
    }
    for (const ManifestSource& source : package.sources) {
      if (source.commit.empty() && source.sha256.empty() && source.tree_sha256.empty() &&
          source.in.empty()) {
        wrong.push_back(fmt::format("the source {} of {} has neither commit nor sha256",
                                    source.name, package.name));
      }
    }
    if (package.name != "pytorch") continue;
    torch_found = true;
    const bool own = std::any_of(
        package.sources.begin(), package.sources.end(),
        [](const auto& source) { return source.name == "pytorch" && !source.tree_sha256.empty(); });
    if (!own && package.version != manifest.base_version()) {
      wrong.push_back(fmt::format("the manifest has pytorch {}, but the version {}",
                                  package.version, manifest.version));
    }
  }
  if (!torch_found) wrong.emplace_back("the manifest has no package pytorch");
}

/// The sources that came from folders of the builder's, with the beginning of their hash. One that
/// is a checkout has a commit, but nobody verified where that comes from.
std::vector<std::string> local_sources(const Manifest& manifest) {
  std::vector<std::string> names;
  for (const ManifestPackage& package : manifest.packages) {
    for (const ManifestSource& source : package.sources) {
      if (source.tree_sha256.empty()) continue;
      names.push_back(fmt::format("{} (tree {})", source.name, source.tree_sha256.substr(0, 12)));
    }
  }
  return names;
}

/// A folder of the builder's that is not a git checkout is named by its content.
bool is_commit(const std::string& text) {
  if (text.starts_with("tree-")) return true;
  return text.size() == 40 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

void check_config_paths(const PackageFacts& facts, Row& row) {
  std::size_t count = 0;
  std::vector<std::string> wrong;
  for (const auto& [path, text] : facts.texts) {
    if (!path.ends_with(".cmake") && !path.ends_with(".pc")) continue;
    ++count;
    std::istringstream lines(text);
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
      for (const std::string& found : absolute_paths_in(line)) {
        wrong.push_back(fmt::format("{}:{} has the absolute path {}", path, number, found));
      }
    }
  }
  row.looked_at = fmt::format("{} .cmake and .pc files", count);
  row.limit = "no path of the machine that built it";
  row.decide(std::move(wrong), "none");
}

void check_config_files(const PackageFacts& facts, Row& row) {
  row.looked_at = "share/cmake/Torch";
  row.limit = "find_package(Torch) finds its files";
  std::vector<std::string> wrong;
  for (const char* file : {kConfig, kConfigVersion}) {
    if (facts.text(file) == nullptr) wrong.push_back(std::string(file) + " is missing");
  }
  row.decide(std::move(wrong), "all inside");
}

void check_versions(const PackageFacts& facts, Row& row) {
  const Manifest& manifest = facts.manifest;
  row.looked_at = "manifest, build files, version.h";
  row.limit = fmt::format("{}, {}", manifest.version, manifest.git_version);
  std::vector<std::string> wrong;
  compare_file(facts, "build-version", manifest.version, wrong);
  compare_file(facts, "build-hash", manifest.git_version, wrong);
  if (!is_commit(manifest.git_version)) {
    wrong.push_back(fmt::format("git_version is not a commit: {}", manifest.git_version));
  }
  compare_header(facts, wrong);
  compare_config_version(facts, wrong);
  check_pins(manifest, wrong);
  const std::vector<std::string> local = local_sources(manifest);
  row.decide(std::move(wrong), local.empty()
                                   ? "all agree, every source is pinned"
                                   : "all agree; not pinned, from a folder: " + join(local, ", "));
}

void check_header_versions(const PackageFacts& facts, Row& row) {
  row.looked_at = "headers of other projects";
  row.limit = "the versions of the pins";
  std::vector<std::string> wrong;
  std::vector<std::string> good;
  for (const VersionHeader& header : version_headers()) {
    const std::string* text = facts.text(std::string(header.path));
    const std::string told = text == nullptr ? "" : version_in_header(header.source, *text);
    if (told.empty()) continue;
    for (const ManifestPackage& package : facts.manifest.packages) {
      for (const ManifestSource& source : package.sources) {
        // Nobody may know the version of a submodule in a folder of the builder's.
        if (source.name != header.source || source.version.empty()) continue;
        if (told == source.version) {
          good.push_back(fmt::format("{} {}", source.name, told));
        } else {
          wrong.push_back(fmt::format("{} is of {} {}, the manifest pins {}", header.path,
                                      source.name, told, source.version));
        }
      }
    }
  }
  if (good.empty() && wrong.empty()) {
    return row.not_applicable("no header inside states the version of a pinned source");
  }
  row.decide(std::move(wrong), join(good, ", "));
}

}  // namespace torchpkg
