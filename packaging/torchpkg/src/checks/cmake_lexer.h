// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchpkg {

struct CMakeArgument {
  std::string text;  ///< without its quotes; escapes are left as they are
  std::size_t line = 0;
};

/// A command of a CMake file: `set(a "b")`.
struct CMakeCommand {
  std::string name;  ///< in lower case
  std::vector<CMakeArgument> arguments;
};

/// Cuts a CMake file into commands; comments are dropped. Never fails: what is not CMake gives
/// commands that mean nothing.
std::vector<CMakeCommand> read_cmake(std::string_view text);

}  // namespace torchpkg
