// SPDX-License-Identifier: BSD-3-Clause
// Whether validators would accept the METADATA of a wheel.
#include <fmt/core.h>

#include "checks/checks.h"
#include "wheel/metadata.h"
#include "wheel/metadata_problems.h"

namespace torchpkg {

namespace {

/// The files of the folder licenses in *.dist-info.
std::set<std::string> licences_of(const PackageFacts& facts) {
  const std::string folder = facts.wheel->dist_info + "/licenses/";
  std::set<std::string> licences;
  for (const std::string& path : facts.paths) {
    if (path.starts_with(folder)) licences.insert(path.substr(folder.size()));
  }
  return licences;
}

}  // namespace

void check_metadata(const PackageFacts& facts, Row& row) {
  row.looked_at = "METADATA";
  row.limit = "it is as the specification of core metadata says";
  const std::string* metadata = facts.dist_info_text("METADATA");
  std::vector<std::string> wrong{"METADATA is missing"};
  std::string version;
  if (metadata != nullptr) {
    wrong = wheel::metadata_problems(*metadata, licences_of(facts));
    version = wheel::metadata_field(*metadata, "Metadata-Version");
  }
  row.decide(std::move(wrong), fmt::format("Metadata-Version {}", version));
}

}  // namespace torchpkg
