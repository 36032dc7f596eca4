// SPDX-License-Identifier: BSD-3-Clause
// No path of the machine that built the package, in any file.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "check/rows.h"
#include "common/text.h"

namespace torchpkg {

namespace {

constexpr std::string_view kPathCharacters = "/_.+~@%-";

bool is_path_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         kPathCharacters.find(c) != std::string_view::npos;
}

/// Whether a path begins at `at`: behind a separator, or behind an option such as -L.
bool begins_path(std::string_view line, std::size_t at) {
  if (at == 0) return true;
  if (std::string_view(" \t\"';=,:(").find(line[at - 1]) != std::string_view::npos) {
    return !line.substr(at).starts_with("//");
  }
  return at >= 2 && line[at - 2] == '-' &&
         std::string_view("BFIL").find(line[at - 1]) != std::string_view::npos;
}

/// Whether a path lies in a folder that only one machine has like this. The toolkit's usual place,
/// where CMake files look for it, does not count.
bool is_of_machine(std::string_view path) {
  constexpr std::array<std::string_view, 14> kTops = {"usr", "lib",  "lib64", "home",  "root",
                                                      "opt", "tmp",  "var",   "build", "mnt",
                                                      "srv", "data", "work",  "src"};
  const std::string_view top = path.substr(1, path.find('/', 1) - 1);
  if (std::find(kTops.begin(), kTops.end(), top) == kTops.end()) return false;
  constexpr std::string_view kToolkit = "/usr/local/cuda";
  if (!path.starts_with(kToolkit)) return true;
  return path.find_first_not_of("-.0123456789", kToolkit.size()) != std::string_view::npos;
}

/// The absolute paths in a line of a CMake or pkg-config file.
std::vector<std::string> absolute_paths_in(std::string_view line) {
  std::vector<std::string> paths;
  for (std::size_t at = line.find('/'); at != std::string_view::npos; at = line.find('/', at)) {
    std::size_t end = at;
    while (end < line.size() && is_path_character(line[end])) ++end;
    std::string_view path = line.substr(at, end - at);
    while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    if (begins_path(line, at) && is_of_machine(path)) paths.emplace_back(path);
    at = std::max(end, at + 1);
  }
  return paths;
}

}  // namespace

void check_build_paths(const Facts& facts, Row& row) {
  row.limit = fmt::format(
      "none of {} forbidden paths in any file, no absolute path in .cmake and .pc files",
      facts.forbidden_paths.size());
  row.details = facts.forbidden;
  for (const auto& [path, text] : facts.texts) {
    if (!path.ends_with(".cmake") && !path.ends_with(".pc")) continue;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size(); ++number) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string_view line = std::string_view(text).substr(begin, end - begin);
      for (const std::string& found : absolute_paths_in(line)) {
        row.wrong(fmt::format("{}:{} has the absolute path {}", path, number + 1, found));
      }
      begin = end + 1;
    }
  }
  row.found = "none";
}

}  // namespace torchpkg
