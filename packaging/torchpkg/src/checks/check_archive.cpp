// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include <filesystem>

#include "checks/checks.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

/// What is wrong with symlinks: absolute, leaving the package, leading nowhere.
std::vector<std::string> symlink_problems(const PackageFacts& facts) {
  std::vector<std::string> problems;
  for (const PackageFile& file : facts.files) {
    if (!file.symlink) continue;
    const std::string link = fmt::format("{} is a symlink to {}", file.path, file.target);
    const fs::path target = (fs::path(file.path).parent_path() / file.target).lexically_normal();
    if (file.target.starts_with('/')) {
      problems.push_back(link + ", an absolute path");
    } else if (target.begin() != target.end() && *target.begin() == "..") {
      problems.push_back(link + ", outside the package");
    } else if (!facts.conda) {  // another package of the prefix may have it
      // To a file, or to a folder: something then lies below it.
      const std::string name = target.generic_string();
      const auto below = facts.paths.lower_bound(name + "/");
      const bool folder = below != facts.paths.end() && below->starts_with(name + "/");
      if (facts.paths.count(name) == 0 && !folder) problems.push_back(link + ", which is missing");
    }
  }
  return problems;
}

bool is_static_library(const std::string& path) { return path.ends_with(".a"); }

bool is_python_binding(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return name == "libtorch_python.so" || name.starts_with("libtorch_python.so.");
}

std::string licence_folder(const PackageFacts& facts) {
  if (facts.conda) return "info/licenses";
  return facts.wheel ? facts.wheel->dist_info + "/licenses" : "share/licenses";
}

}  // namespace

void check_archive(const PackageFacts& facts, Row& row) {
  row.looked_at = fmt::format("{} entries", facts.files.size());
  row.limit = "complete, CRCs right, names and symlinks inside the package";
  std::vector<std::string> wrong = facts.archive_problems;
  const std::vector<std::string> links = symlink_problems(facts);
  wrong.insert(wrong.end(), links.begin(), links.end());
  row.decide(std::move(wrong), "all entries read, all CRCs right");
  if (!facts.is_archive && row.verdict == Verdict::kPass) {
    row.not_applicable("a folder was given, not an archive");
  }
}

void check_elf_files(const PackageFacts& facts, Row& row) {
  row.looked_at = library_count(facts);
  row.limit = "headers and tables readable";
  row.decide(facts.damaged_elves, "all readable");
}

void check_contents(const PackageFacts& facts, Row& row) {
  row.looked_at = fmt::format("{} files", facts.files.size());
  row.limit = facts.manifest.is_static() ? "no libtorch_python, no libtorch shared library"
                                         : "no libtorch_python, no static library";
  std::vector<std::string> wrong;
  for (const PackageFile& file : facts.files) {
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    const bool torch_library = name.starts_with("libtorch") || name.starts_with("libc10");
    if (facts.manifest.product == "libtorch" && is_python_binding(file.path)) {
      wrong.push_back(file.path + " is for Python only");
    } else if (!facts.manifest.is_static() && is_static_library(file.path)) {
      wrong.push_back(file.path + " is a static library in a shared package");
    } else if (facts.manifest.is_static() && torch_library &&
               name.find(".so") != std::string::npos) {
      wrong.push_back(file.path + " is a shared library in a static package");
    }
  }
  row.decide(std::move(wrong), "nothing that does not belong here");
}

void check_licences(const PackageFacts& facts, Row& row) {
  row.looked_at = fmt::format("{} packages", facts.manifest.packages.size());
  row.limit = "a folder of licence texts for each package";
  std::vector<std::string> wrong;
  if (facts.manifest.packages.empty()) wrong.emplace_back("the manifest names no package");
  for (const ManifestPackage& package : facts.manifest.packages) {
    const std::string folder = licence_folder(facts) + "/" + package.name + "/";
    const auto file = facts.paths.lower_bound(folder);
    if (file == facts.paths.end() || !file->starts_with(folder)) {
      wrong.push_back(fmt::format("{} has no file in {}", package.name, folder));
    }
    if (package.license.empty()) {
      wrong.push_back(fmt::format("the manifest names no licence of {}", package.name));
    }
  }
  row.decide(std::move(wrong), "all there");
}

void check_build_paths(const PackageFacts& facts, Row& row) {
  row.looked_at = fmt::format("{} files", facts.files.size());
  row.limit =
      fmt::format("none of {} forbidden paths in any file", facts.forbidden_looked_for.size());
  if (facts.forbidden_looked_for.empty()) {
    return row.not_applicable("no path was forbidden (--forbid-path)");
  }
  std::vector<std::string> wrong;
  for (const ForbiddenText& hit : facts.forbidden) {
    wrong.push_back(fmt::format("{} contains {}", hit.path, hit.text));
  }
  row.decide(std::move(wrong), "none");
}

}  // namespace torchpkg
