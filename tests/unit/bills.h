// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchpkg::test {

/// A file for a bill of materials, or a symlink with its target as the content.
struct BilledFile {
  std::string name;
  std::string content;
  bool symlink = false;
};

/// The two bills of materials as far as `check` reads them.
std::string spdx_bill(const std::vector<BilledFile>& files);
std::string cyclonedx_bill(const std::vector<BilledFile>& files);

/// Writes both of what is in the folder of a package: into its *.dist-info, or else beside its
/// manifest.
void write_bills(const std::filesystem::path& root);

}  // namespace torchpkg::test
