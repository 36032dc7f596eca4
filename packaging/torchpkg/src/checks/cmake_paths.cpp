// SPDX-License-Identifier: BSD-3-Clause
#include "checks/cmake_paths.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "checks/cmake_lexer.h"
#include "common/text.h"

namespace torchpkg {

namespace {

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_path_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '+' ||
         c == '-' || c == '@' || c == '~' || c == '%';
}

/// Whether a path can begin behind `before`: at the begin of an item, of a flag's value, of a
/// generator expression's value.
bool can_begin_after(std::string_view before) {
  if (before.empty()) return true;
  const char last = before.back();
  if (last == ':') {
    // `C:/...` is for another system; `https:/` is cut off by the second slash.
    return !(before.size() >= 2 &&
             std::isalpha(static_cast<unsigned char>(before[before.size() - 2])) &&
             (before.size() == 2 ||
              !std::isalnum(static_cast<unsigned char>(before[before.size() - 3]))));
  }
  if (std::string_view(" \t\n;=,\"'(").find(last) != std::string_view::npos) return true;
  if (before.size() < 2 || before[before.size() - 2] != '-') return false;
  const bool flag_begins =
      before.size() == 2 || is_path_character(before[before.size() - 3]) == false;
  return flag_begins && (last == 'I' || last == 'L' || last == 'F' || last == 'B');
}

/// Roots below which a single name is already a path of a machine, not a flag like `/EHsc`.
bool is_known_root(std::string_view name) {
  constexpr std::array<std::string_view, 17> kRoots = {
      "usr", "opt",  "home", "root", "tmp", "var", "build", "mnt",      "media",
      "srv", "data", "work", "src",  "run", "nix", "Users", "workspace"};
  return is_one_of(name, kRoots);
}

bool looks_like_library(std::string_view path) {
  return path.find(".so") != std::string_view::npos || path.ends_with(".a") ||
         path.find("-linux-gnu") != std::string_view::npos;
}

/// `/lib/cmake` is most often what is put behind a prefix.
bool is_suffix(std::string_view first, std::string_view path) {
  constexpr std::array<std::string_view, 6> kFolders = {"lib",   "lib64", "include",
                                                        "share", "bin",   "cmake"};
  return is_one_of(first, kFolders) && !looks_like_library(path);
}

/// Where macOS keeps things; Linux has no such folders.
bool is_macos_root(std::string_view first) {
  constexpr std::array<std::string_view, 5> kRoots = {"Applications", "Developer", "Library",
                                                      "Network", "System"};
  return is_one_of(first, kRoots);
}

bool is_allowed(std::string_view path) {
  // FindCUDA names `/usr/local/cuda/lib` for macOS; on Linux it is `lib64`.
  constexpr std::array<std::string_view, 9> kAllowed = {
      "/dev/null",        "/bin/sh",   "/usr/bin/env", "/usr/local/cuda",  "/usr/local/cuda/lib",
      "/usr/local/cuda-", "/opt/rocm", "/opt/intel",   "/opt/intel/oneapi"};
  return is_one_of(path, kAllowed);
}

/// The absolute paths in one item of text.
std::vector<std::string> paths_in(std::string_view text) {
  std::vector<std::string> paths;
  for (std::size_t at = text.find('/'); at != std::string_view::npos; at = text.find('/', at)) {
    const std::size_t begin = at++;
    if (!can_begin_after(text.substr(0, begin))) continue;
    while (at < text.size() && (is_path_character(text[at]) || text[at] == '/')) ++at;
    std::string_view path = text.substr(begin, at - begin);
    while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    if (path.size() < 2 || path[1] == '/') continue;  // "/" alone, "//"
    const std::string_view first = path.substr(1, path.find('/', 1) - 1);
    const bool more = first.size() + 1 < path.size();
    const bool variable_follows = text.substr(begin + path.size()).starts_with("/${");
    if (!more && !variable_follows && !is_known_root(first)) continue;
    if (is_suffix(first, path) || is_macos_root(first) || is_allowed(path)) continue;
    paths.emplace_back(path);
  }
  return paths;
}

/// Walks over a command's arguments and knows which of them can hold a path.
class CommandReader {
 public:
  explicit CommandReader(const CMakeCommand& command)
      : command_(command), finds_(command.name.starts_with("find_")) {}

  void collect(std::vector<FoundPath>& found) {
    if (!can_hold_paths()) return;
    for (std::size_t i = 0; i < command_.arguments.size(); ++i) {
      const CMakeArgument& argument = command_.arguments[i];
      if (is_skipped(argument.text, i)) continue;
      for (std::string& path : paths_in(argument.text)) {
        if (finds_ && (path.starts_with("/usr") || path.starts_with("/opt"))) continue;
        found.push_back({argument.line, std::move(path)});
      }
    }
  }

 private:
  [[nodiscard]] std::string_view word(std::size_t index) const {
    return index < command_.arguments.size() ? std::string_view(command_.arguments[index].text)
                                             : std::string_view();
  }

  [[nodiscard]] bool can_hold_paths() const {
    constexpr std::array<std::string_view, 4> kTexts = {"message", "option", "mark_as_advanced",
                                                        "cmake_policy"};
    if (is_one_of(command_.name, kTexts)) return false;
    if (command_.name == "string") return word(0) == "APPEND" || word(0) == "PREPEND";
    if (command_.name == "list") {
      return word(0) == "APPEND" || word(0) == "PREPEND" || word(0) == "INSERT";
    }
    return true;
  }

  /// Patterns, documentation and suffixes are no paths.
  bool is_skipped(std::string_view text, std::size_t index) {
    constexpr std::array<std::string_view, 7> kPatternFollows = {
        "MATCHES", "REGEX", "DOC", "HELPSTRING", "PATTERN", "PASS_REGULAR_EXPRESSION", "COMMENT"};
    if (text == "PATH_SUFFIXES")
      suffixes_ = true;
    else if (suffixes_ && is_keyword(text))
      suffixes_ = false;
    if (suffixes_) return true;
    if (index > 0 && is_one_of(word(index - 1), kPatternFollows)) return true;
    if (index > 1 && command_.name == "set" && word(index - 2) == "CACHE") return true;
    // string(APPEND x "/lib"): a suffix to what the variable holds.
    return command_.name == "string" && text.starts_with('/');
  }

  static bool is_keyword(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
      return std::isupper(static_cast<unsigned char>(c)) != 0 || c == '_';
    });
  }

  const CMakeCommand& command_;
  bool finds_;
  bool suffixes_ = false;
};

}  // namespace

std::vector<FoundPath> absolute_paths_in_cmake(std::string_view text) {
  std::vector<FoundPath> found;
  for (const CMakeCommand& command : read_cmake(text)) CommandReader(command).collect(found);
  return found;
}

std::vector<FoundPath> absolute_paths_in_pkg_config(std::string_view text) {
  std::vector<FoundPath> found;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.starts_with('#') || line.starts_with("Description:")) continue;
    for (std::string& path : paths_in(line)) found.push_back({number, std::move(path)});
  }
  return found;
}

}  // namespace torchpkg
