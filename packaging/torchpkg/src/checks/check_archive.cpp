// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include "checks/checks.h"

namespace torchpkg {

namespace {

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
  row.limit = "complete, CRCs right, plain files, names and symlinks inside the package";
  row.decide(facts.archive_problems, "all entries read, all CRCs right");
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
