// SPDX-License-Identifier: BSD-3-Clause
#include "run/alone_command.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace torchpkg {

namespace {

using Words = std::vector<std::string>;

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

/// Keeps Ninja's options, drops `-j` and the targets.
Words ninja_alone(const Words& command, std::size_t ninja, const Words& outputs) {
  constexpr std::string_view kWithValue = "Cfkldtw";
  Words alone(command.begin(), command.begin() + static_cast<std::ptrdiff_t>(ninja) + 1);
  for (std::size_t i = ninja + 1; i < command.size(); ++i) {
    const std::string& word = command[i];
    if (word.starts_with("-j")) {
      if (word == "-j") ++i;
      continue;
    }
    if (!word.starts_with('-')) continue;
    alone.push_back(word);
    const bool value_follows =
        word.size() == 2 && kWithValue.find(word[1]) != std::string_view::npos;
    if (value_follows && i + 1 < command.size()) alone.push_back(command[++i]);
  }
  alone.emplace_back("-j1");
  alone.insert(alone.end(), outputs.begin(), outputs.end());
  return alone;
}

/// Keeps the folder and the configuration, drops the rest.
Words cmake_alone(const Words& command, std::size_t build, const Words& outputs) {
  Words alone(command.begin(), command.begin() + static_cast<std::ptrdiff_t>(build) + 2);
  for (std::size_t i = build + 2; i + 1 < command.size() && command[i] != "--"; ++i) {
    if (command[i] == "--config") alone.insert(alone.end(), {command[i], command[i + 1]});
  }
  alone.insert(alone.end(), {"--parallel", "1", "--target"});
  alone.insert(alone.end(), outputs.begin(), outputs.end());
  return alone;
}

}  // namespace

bool is_ninja(const std::string& word) {
  const std::string_view name = base_name(word);
  return name == "ninja" || name == "ninja-build" || name == "samu";
}

std::optional<Words> alone_command(const Words& command, const Words& outputs) {
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (is_ninja(command[i])) return ninja_alone(command, i, outputs);
    if (command[i] == "--build" && i > 0 && i + 1 < command.size() &&
        base_name(command[i - 1]) == "cmake") {
      return cmake_alone(command, i, outputs);
    }
  }
  return std::nullopt;
}

}  // namespace torchpkg
