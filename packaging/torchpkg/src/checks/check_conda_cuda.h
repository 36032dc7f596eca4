// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "checks/check_conda_libraries.h"

namespace torchpkg {

/// Adds the manifest to the facts, and the texts that the rows below compare with it, when a file
/// of the prefix is one of these. Error: kBadInput for a wrong manifest.
void note_conda_text(const conda::TarEntry& entry, Bytes content, PackageFacts& facts);

/// The rows of the code for GPUs in a conda package, by its own manifest: `gpu-code`,
/// `gpu-architectures` (the package pytorch leaves the code to libtorch), `nvrtc` (`depends` names
/// the package that has it), `cuda-versions`, and `cuda-depends`: `depends` asks for a driver, and
/// for NVIDIA's libraries from the versions on that libtorch was compiled with. Not applicable to a
/// package without manifest, when nothing in it is for GPUs. `host`: as of check_conda_libraries().
std::vector<Row> check_conda_cuda(const PackageFacts& facts, const std::optional<CondaHost>& host);

}  // namespace torchpkg
