// SPDX-License-Identifier: BSD-3-Clause
#include "run/log_line.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "run/ninja_progress.h"

namespace torchpkg {

namespace {

template <std::size_t N>
bool contains_any(std::string_view line, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(), [line](std::string_view part) {
    return line.find(part) != std::string_view::npos;
  });
}

/// Where `error:`, `Error :`, `fatal   :` begins as a word of its own.
std::size_t error_word(std::string_view line) {
  for (const std::string_view word : {"rror", "RROR", "fatal"}) {
    const std::size_t first = word == "fatal" ? 0 : 1;  // the e or E before it
    for (std::size_t at = line.find(word); at != std::string_view::npos;
         at = line.find(word, at + 1)) {
      if (at < first) continue;
      const std::size_t begin = at - first;
      if (first == 1 && line[begin] != 'e' && line[begin] != 'E') continue;
      const std::size_t colon = line.find_first_not_of(' ', at + word.size());
      const bool own_word =
          begin == 0 || line[begin - 1] == ' ' || line[begin - 1] == ':' || line[begin - 1] == ')';
      if (own_word && colon != std::string_view::npos && line[colon] == ':') return begin;
    }
  }
  return std::string_view::npos;
}

bool from_make(std::string_view line) {
  const std::size_t stars = line.find(": *** ");
  return stars != std::string_view::npos && line.substr(0, stars).find("make") != std::string::npos;
}

bool is_summary(std::string_view line) {
  // git says "fatal" to whoever asks it for a version in an unpacked archive.
  constexpr std::array<std::string_view, 2> kBegins = {"collect2: error: ", "fatal: "};
  constexpr std::array<std::string_view, 7> kParts = {
      "linker command failed",       "subcommand failed",   ": command not found", ": not found",
      ": No such file or directory", ": Permission denied", "errors occurred!"};
  return std::any_of(kBegins.begin(), kBegins.end(),
                     [line](std::string_view begin) { return line.starts_with(begin); }) ||
         contains_any(line, kParts);
}

}  // namespace

bool is_python_error(std::string_view line) {
  const std::string_view name = line.substr(0, line.find(':'));
  if (name.empty() || !std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '.' || c == '_';
      })) {
    return false;
  }
  return name.size() > 5 && (name.ends_with("Error") || name.ends_with("Exception"));
}

bool is_excerpt(std::string_view line) {
  const std::size_t bar = line.find_first_not_of(" 0123456789+");
  return line.starts_with(' ') && bar != std::string_view::npos && line[bar] == '|';
}

ErrorRank rank_of(std::string_view line) {
  constexpr std::array<std::string_view, 7> kLinker = {
      "undefined reference to ", "multiple definition of ", ": cannot find -l",
      ": cannot find ",          "undefined symbol: ",      "No space left on device",
      "No rule to make target"};
  if (line.starts_with("CMake Error at ") || line.starts_with("CMake Error: ") ||
      line.starts_with("CMake Error in ") || line.starts_with("CMake Error (")) {
    return ErrorRank::kCMake;
  }
  if (line.starts_with("-- ") || is_excerpt(line)) return ErrorRank::kNone;
  if (contains_any(line, kLinker)) return ErrorRank::kTool;
  if (from_make(line) || line.starts_with("ninja: build stopped")) return ErrorRank::kSummary;
  const std::size_t word = error_word(line);
  // "note: ... error: ..." quotes one; so does a program's own text behind its own words.
  const bool quoted =
      contains_any(line.substr(0, std::min(word, line.size())),
                   std::array<std::string_view, 4>{"note: ", "warning: ", "\"", "'"});
  if (is_summary(line)) {
    return word != std::string_view::npos && line.find("fatal error:") != std::string_view::npos
               ? ErrorRank::kTool
               : ErrorRank::kSummary;
  }
  if ((word != std::string_view::npos && !quoted) || is_python_error(line)) return ErrorRank::kTool;
  return ErrorRank::kNone;
}

bool leads_to_error(std::string_view line) {
  constexpr std::array<std::string_view, 10> kParts = {
      ": In ",          ": in function ",        ": At global scope:",
      "required from ", "required by ",          "Assembler mes",
      "at top level",   "In file included from", "In substitution of",
      "In module "};
  return line.starts_with("                 from ") || contains_any(line, kParts);
}

bool begins_something_else(std::string_view line) {
  constexpr std::array<std::string_view, 4> kBegins = {"FAILED: ", "ninja: ", "-- ", "CMake "};
  constexpr std::array<std::string_view, 4> kParts = {
      ": Leaving directory '", ": Entering directory '", " being treated as errors", " generated."};
  if (std::any_of(kBegins.begin(), kBegins.end(),
                  [line](std::string_view begin) { return line.starts_with(begin); })) {
    return true;
  }
  // What belongs to the notes of an error leads nowhere else.
  if (line.find(" note: ") != std::string_view::npos || is_excerpt(line)) return false;
  return rank_of(line) != ErrorRank::kNone || line.find(" warning: ") != std::string_view::npos ||
         line.find(" warning #") != std::string_view::npos || leads_to_error(line) ||
         contains_any(line, kParts) || parse_ninja_status(line) || is_compile(line);
}

std::string file_in(std::string_view line) {
  for (const std::string_view lead : {"In file included from ", "                 from "}) {
    if (line.starts_with(lead)) line.remove_prefix(lead.size());
  }
  // g++'s and clang's "x.cc:1:2:", nvcc's "x.cu(1):"
  const std::size_t end = line.find_first_of(":(");
  if (end == std::string_view::npos || end + 1 >= line.size()) return {};
  const std::string_view path = line.substr(0, end);
  const bool line_number = std::isdigit(static_cast<unsigned char>(line[end + 1])) != 0;
  if (!line_number && !is_source(path) && !path.ends_with(".o")) return {};
  return std::string(path.substr(path.rfind('/') + 1));
}

bool is_compile(std::string_view line) {
  constexpr std::array<std::string_view, 9> kCompilers = {"cc",   "c++", "gcc", "g++",     "clang",
                                                          "nvcc", "ar",  "ld",  "gfortran"};
  if (line.find(" -c ") == std::string_view::npos && line.find(" -o ") == std::string_view::npos) {
    return false;
  }
  for (int words = 0; words < 3 && !line.empty(); ++words) {  // a compiler cache may come first
    std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    word = word.substr(word.rfind('/') + 1);
    for (const std::string_view compiler : kCompilers) {
      // also "x86_64-linux-gnu-gcc" and "clang++-16"
      const std::size_t at = word.rfind(compiler);
      if (at != std::string_view::npos && (at == 0 || word[at - 1] == '-') &&
          word.find_first_not_of("+-.0123456789", at + compiler.size()) == std::string_view::npos) {
        return true;
      }
    }
  }
  return false;
}

bool is_source(std::string_view word) {
  constexpr std::array<std::string_view, 13> kSuffixes = {
      ".c", ".cc", ".cpp", ".cxx", ".cu", ".S", ".s", ".asm", ".f", ".f90", ".F", ".py", ".cmake"};
  return std::any_of(kSuffixes.begin(), kSuffixes.end(),
                     [word](std::string_view suffix) { return word.ends_with(suffix); });
}

std::vector<std::string> plain_lines(std::string_view log) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (log[i] == '\n') {
      lines.push_back(std::move(line));
      line.clear();
    } else if (log[i] == '\033' && i + 1 < log.size() && log[i + 1] == '[') {
      i = std::min(log.find_first_of("mKHJ", i + 2), log.size() - 1);
    } else if (log[i] != '\r') {
      line += log[i];
    }
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace torchpkg
