// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <vector>

#include "index/artifacts.h"

namespace torchpkg::index {

/// Makes a folder with conda packages into a channel: <platform>/repodata.json for each folder that
/// has packages or had some, and noarch/repodata.json. Without any, nothing is written.
/// https://docs.conda.io/projects/conda/en/stable/user-guide/concepts/channels.html
/// Error: kEnvironment when something cannot be written.
void write_channel(const std::filesystem::path& folder, const std::vector<CondaArtifact>& packages);

}  // namespace torchpkg::index
