// SPDX-License-Identifier: BSD-3-Clause
#include "wheel/metadata_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "common/text.h"
#include "wheel/metadata_fields.h"
#include "wheel/requirement.h"
#include "wheel/scanner.h"
#include "wheel/version.h"

namespace torchpkg::wheel {

namespace {

// 2.0 was withdrawn, and 2.6 is not in the specification yet.
constexpr std::array<std::string_view, 8> kMetadataVersions = {"1.0", "1.1", "1.2", "2.1",
                                                               "2.2", "2.3", "2.4", "2.5"};

// What Python takes for the end of a line (str.splitlines); the last three are UTF-8.
constexpr std::array<std::string_view, 10> kLineEnds = {
    "\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};

constexpr std::array<std::string_view, 35> kKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

constexpr std::size_t kLongestLabel = 32;

/// How many characters a text has.
std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80;
  }));
}

}  // namespace

std::string wrong_metadata_version(std::string_view value) {
  const bool known = std::find(kMetadataVersions.begin(), kMetadataVersions.end(), value) !=
                     kMetadataVersions.end();
  return known ? "" : "there is no such version of the format";
}

std::string wrong_project_name(std::string_view value) {
  if (is_project_name(value)) return {};
  return "a name has letters, digits, '.', '-' and '_' of ASCII and begins and ends with a letter "
         "or digit";
}

std::string wrong_version(std::string_view value) {
  return is_version(value) ? "" : "it is no version";
}

std::string wrong_summary(std::string_view value) {
  const bool one_line = std::none_of(
      kLineEnds.begin(), kLineEnds.end(),
      [value](std::string_view end) { return value.find(end) != std::string_view::npos; });
  return one_line ? "" : "it has more than one line";
}

std::string wrong_dynamic(std::string_view value) {
  const MetadataField* field = find_metadata_field(value);
  if (field == nullptr) return "there is no such field";
  for (const std::string_view fixed : {"Metadata-Version", "Name", "Version", "Dynamic"}) {
    if (field->name == fixed) return "that field cannot be dynamic";
  }
  return {};
}

std::string wrong_license_file(std::string_view value) {
  const bool drive = value.size() > 2 && is_letter(value[0]) && value.substr(1, 2) == ":/";
  if (value.starts_with('/') || drive) return "the path is not relative";
  if (value.find('\\') != std::string_view::npos) return "the path has a backslash";
  // Anywhere: validators look for no more than these two characters.
  if (value.find("..") != std::string_view::npos) return "the path has '..'";
  if (value.find('*') != std::string_view::npos) return "it is a pattern, no path";
  for (std::string_view rest = value; true;) {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, slash);
    if (part.empty() || part == ".") return "the path has an empty part or '.'";
    if (slash == rest.size()) return {};
    rest.remove_prefix(slash + 1);
  }
}

std::string wrong_project_url(std::string_view value) {
  const std::size_t comma = std::min(value.find(','), value.size());
  const std::string_view label = trimmed(value.substr(0, comma));
  if (label.empty()) return "there is no label before the comma";
  if (character_count(label) > kLongestLabel) {
    return fmt::format("the label has more than {} characters", kLongestLabel);
  }
  const bool has_url = comma < value.size() && !trimmed(value.substr(comma + 1)).empty();
  return has_url ? "" : "there is no URL after a comma";
}

std::string wrong_import_name(std::string_view value) {
  // Alone, it says that there is nothing to import.
  return value.empty() ? "" : wrong_import_namespace(value);
}

std::string wrong_import_namespace(std::string_view value) {
  Scanner rest(value);
  do {
    const std::string_view name = rest.take_while(is_word);
    if (name.empty() || is_digit(name.front())) return "it is no name of a module";
    if (std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end()) {
      return fmt::format("{} is a word of the language", in_quotes(name));
    }
  } while (rest.take("."));
  rest.take_while(is_space);
  if (rest.at_end()) return {};
  const bool is_private = rest.take(";") && trimmed(rest.rest()) == "private";
  return is_private && value.ends_with("private") ? "" : "after the name only ';private' may stand";
}

}  // namespace torchpkg::wheel
