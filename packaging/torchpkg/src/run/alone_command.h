// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace torchpkg {

/// Whether a word of a command is the program Ninja.
bool is_ninja(const std::string& word);

/// From a command that builds with Ninja (`[env...] ninja ...` or `[env...] cmake --build ...`),
/// the command that makes only `outputs`, one at a time: the targets are replaced and `-j1` set.
/// Nothing when the command is of another kind.
std::optional<std::vector<std::string>> alone_command(const std::vector<std::string>& command,
                                                      const std::vector<std::string>& outputs);

}  // namespace torchpkg
