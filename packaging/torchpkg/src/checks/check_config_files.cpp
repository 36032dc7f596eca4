// SPDX-License-Identifier: BSD-3-Clause
// Whether the CMake and pkg-config files name only what is in the package.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "checks/checks.h"
#include "checks/cmake_lexer.h"
#include "common/text.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kHere = "${CMAKE_CURRENT_LIST_DIR}/";

/// The folder that a find_package() file takes for the package's top, as far as it can be told:
/// `get_filename_component(<variable> "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE|PATH)`.
std::set<std::string> top_variables(const std::string& path,
                                    const std::vector<CMakeCommand>& commands) {
  std::set<std::string> variables;
  for (const CMakeCommand& command : commands) {
    if (command.name != "get_filename_component" || command.arguments.size() < 3) continue;
    const std::string& value = command.arguments[1].text;
    if (!value.starts_with(kHere)) continue;
    const fs::path folder = fs::path(path).parent_path() / value.substr(kHere.size());
    const std::string place = folder.lexically_normal().generic_string();
    if (place == "." || place == "./") variables.insert(command.arguments[0].text);
  }
  return variables;
}

/// A file of the package that an argument names for certain; empty when it names none, or with a
/// variable in it.
std::string named_file(const std::string& path, const std::string& text,
                       const std::set<std::string>& tops) {
  std::string rest;
  fs::path folder;
  if (text.starts_with(kHere)) {
    folder = fs::path(path).parent_path();
    rest = text.substr(kHere.size());
  } else {
    const std::size_t end = text.find("}/");
    if (!text.starts_with("${") || end == std::string::npos) return {};
    if (tops.count(text.substr(2, end - 2)) == 0) return {};
    rest = text.substr(end + 2);
  }
  if (rest.find_first_of("$<>*;\"") != std::string::npos) return {};
  const std::string name = (folder / rest).lexically_normal().generic_string();
  constexpr std::array<std::string_view, 4> kEndings = {".cmake", ".so", ".a", ".h"};
  const bool file = std::any_of(kEndings.begin(), kEndings.end(), [&name](std::string_view ending) {
    return name.ends_with(ending) || (ending == ".so" && name.find(".so.") != std::string::npos);
  });
  return file ? name : std::string();
}

/// Arguments that name a file only to ask whether it is there.
bool is_question(const CMakeCommand& command) {
  if (command.name == "if" || command.name == "elseif") return true;
  return command.name == "include" &&
         std::any_of(command.arguments.begin(), command.arguments.end(),
                     [](const CMakeArgument& argument) { return argument.text == "OPTIONAL"; });
}

void check_cmake_file(const PackageFacts& facts, const std::string& path, const std::string& text,
                      std::vector<std::string>& wrong) {
  const std::vector<CMakeCommand> commands = read_cmake(text);
  const std::set<std::string> tops = top_variables(path, commands);
  for (const CMakeCommand& command : commands) {
    if (is_question(command)) continue;
    for (const CMakeArgument& argument : command.arguments) {
      const std::string file = named_file(path, argument.text, tops);
      if (file.empty() || facts.paths.count(file) != 0) continue;
      wrong.push_back(
          fmt::format("{}:{} names {}, which is not inside", path, argument.line, file));
    }
  }
}

/// The libraries that a pkg-config file makes users link and that must lie beside it.
void check_pkg_config_file(const PackageFacts& facts, const std::string& path,
                           const std::string& text, std::vector<std::string>& wrong) {
  for (const std::string& line : split(text, '\n')) {
    if (!line.starts_with("Libs:")) continue;
    for (const std::string& word : split(line, ' ')) {
      const std::string name = word.starts_with("-l") ? word.substr(2) : "";
      if (!name.starts_with("torch") && !name.starts_with("c10")) continue;
      if (facts.paths.count("lib/lib" + name + ".so") != 0) continue;
      if (facts.paths.count("lib/lib" + name + ".a") != 0) continue;
      wrong.push_back(
          fmt::format("{} names {}, but there is no lib/lib{}.so or .a", path, word, name));
    }
  }
}

}  // namespace

Row check_config_files(const PackageFacts& facts) {
  std::size_t count = 0;
  std::vector<std::string> wrong;
  for (const char* file : {"TorchConfig.cmake", "TorchConfigVersion.cmake"}) {
    const std::string path = std::string("share/cmake/Torch/") + file;
    if (facts.text(path) == nullptr) wrong.push_back(path + " is missing");
  }
  for (const auto& [path, text] : facts.texts) {
    if (path.ends_with(".cmake")) {
      ++count;
      check_cmake_file(facts, path, text, wrong);
    } else if (path.ends_with(".pc")) {
      ++count;
      check_pkg_config_file(facts, path, text, wrong);
    }
  }
  Row row{6, "config-files", fmt::format("{} .cmake and .pc files", count), "",
          "the files that they name are inside"};
  row.decide(std::move(wrong), "all inside");
  return row;
}

}  // namespace torchpkg
