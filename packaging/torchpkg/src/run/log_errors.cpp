// SPDX-License-Identifier: BSD-3-Clause
#include "run/log_errors.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "common/text.h"
#include "run/build_log.h"
#include "run/log_line.h"

namespace torchpkg {

namespace {

using Lines = std::span<const std::string>;

/// Where an error stands: [begin, end), `at` being the line that says it.
struct Place {
  std::size_t begin;
  std::size_t at;
  std::size_t end;
};

constexpr std::size_t kMostLines = 30;
constexpr std::size_t kMostBefore = 8;

/// CMake indents what belongs to a message, and prints blank lines between its parts.
Place cmake_error(Lines lines, std::size_t at) {
  const bool located = !lines[at].starts_with("CMake Error: ");
  std::size_t end = at + 1;
  for (std::size_t i = end; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.empty()) {
      if (!located) break;
      continue;
    }
    if (located && !line.starts_with("  ") && !line.starts_with("Call Stack")) break;
    if (rank_of(line) == ErrorRank::kCMake || line.starts_with("-- ")) break;
    end = i + 1;
  }
  return {at, at, end};
}

/// From the innermost frame on; the message may have several lines.
Place python_error(Lines lines, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && lines[begin - 1].starts_with("    ")) --begin;
  if (begin > 0 && lines[begin - 1].starts_with("  File \"")) --begin;
  return {begin, at, at + 1};
}

/// A compiler's, linker's or any other tool's: with what leads to it, the source and the notes.
Place tool_error(Lines lines, std::size_t at) {
  std::size_t begin = at;
  if (lines[at].starts_with("Error: ")) {  // gfortran: the place and the source are above
    while (begin > 0 && (lines[begin - 1].empty() || is_excerpt(lines[begin - 1]))) --begin;
    if (begin > 0 && lines[begin - 1].ends_with(':')) --begin;
  }
  while (begin > 0 && leads_to_error(lines[begin - 1])) --begin;
  std::size_t end = at + 1;
  while (end < lines.size() && !lines[end].empty() && !begins_something_else(lines[end])) ++end;
  return {begin, at, end};
}

Place place_of(Lines lines, std::size_t at) {
  if (rank_of(lines[at]) == ErrorRank::kCMake) return cmake_error(lines, at);
  if (at > 0 && lines[at - 1].starts_with("    ") && is_python_error(lines[at])) {
    return python_error(lines, at);
  }
  return tool_error(lines, at);
}

/// The lines of a place; of too many before the error or in all the middle is left out.
std::string text_of(Lines lines, Place place) {
  std::vector<std::string> shown(lines.begin() + static_cast<std::ptrdiff_t>(place.begin),
                                 lines.begin() + static_cast<std::ptrdiff_t>(place.end));
  const auto blank = [](const std::string& line) { return trimmed(line).empty(); };
  const auto leave_out = [&shown](std::size_t from, std::size_t count) {
    const auto begin = shown.begin() + static_cast<std::ptrdiff_t>(from);
    *begin = fmt::format("  ... ({} more lines in the log)", count);
    shown.erase(begin + 1, begin + static_cast<std::ptrdiff_t>(count));
  };
  const std::size_t before = place.at - place.begin;
  if (before > kMostBefore) leave_out(kMostBefore / 2, before - kMostBefore);
  if (shown.size() > kMostLines) leave_out(kMostLines / 2, shown.size() - kMostLines);
  shown.erase(std::unique(shown.begin(), shown.end(),
                          [&](const auto& a, const auto& b) { return blank(a) && blank(b); }),
              shown.end());
  return join(shown, "\n") + "\n";
}

/// `[-Werror=name]` is gcc's way to say it, `[-Werror,-Wname]` clang's.
std::string promoted_warning(std::string_view line) {
  for (const std::string_view mark : {"[-Werror=", "[-Werror,-W"}) {
    const std::size_t at = line.rfind(mark);
    if (at == std::string_view::npos) continue;
    const std::string_view name = line.substr(at + mark.size());
    return std::string(name.substr(0, name.find(']')));
  }
  return {};
}

/// make prints a command before its output, the commands of other jobs between them: the nearest
/// one that names a file of which the error speaks.
std::string command_before(Lines lines, Place place) {
  std::vector<std::string> files;
  for (std::size_t i = place.begin; i <= place.at; ++i) {
    std::string file = file_in(lines[i]);
    if (!file.empty()) files.push_back(std::move(file));
  }
  for (std::size_t i = place.begin; i-- > 0;) {
    if (!is_compile(lines[i])) continue;
    for (const std::string& file : files) {
      if (lines[i].find(file) != std::string::npos) return shortened_command(lines[i]);
    }
  }
  return {};
}

/// Errors of one step, or of a log without steps.
struct Found {
  ErrorRank rank = ErrorRank::kNone;
  std::size_t at = 0;
  std::size_t count = 0;  ///< of that rank
};

Found look_through(Lines lines) {
  Found found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const ErrorRank rank = rank_of(lines[i]);
    if (rank == ErrorRank::kNone || rank < found.rank) continue;
    if (rank > found.rank) found = {rank, i, 0};
    ++found.count;
  }
  return found;
}

LogErrors describe(Lines lines, const Found& found) {
  LogErrors errors;
  Place place = place_of(lines, found.at);
  errors.first = text_of(lines, place);
  if (found.rank == ErrorRank::kCMake) {
    // A script that CMake ran said what is wrong, and CMake only that it failed.
    const std::size_t most = std::min<std::size_t>(found.at, 15);
    for (std::size_t i = found.at; i-- > found.at - most && !lines[i].starts_with("-- ");) {
      if (rank_of(lines[i]) != ErrorRank::kTool) continue;
      Place cause = place_of(lines, i);
      cause.end = std::min(cause.end, found.at);
      errors.first.insert(0, text_of(lines, cause));
      break;
    }
  }
  errors.warning = promoted_warning(lines[place.at]);
  if (!errors.warning.empty()) errors.file = lines[place.at].substr(0, lines[place.at].find(':'));
  errors.command = command_before(lines, place);
  return errors;
}

}  // namespace

LogErrors find_log_errors(std::string_view log) {
  const BuildFailure failure = analyse_build_log(log);
  if (failure.steps.empty()) {
    const std::vector<std::string> lines = plain_lines(log);
    const Found found = look_through(lines);
    if (found.rank == ErrorRank::kNone) return {};
    LogErrors errors = describe(lines, found);
    errors.further = found.count - 1;
    return errors;
  }
  LogErrors errors;
  ErrorRank best = ErrorRank::kNone;
  std::size_t count = 0;
  for (const FailedStep& step : failure.steps) {
    const std::vector<std::string> lines = plain_lines(step.output);
    const Found found = look_through(lines);
    count += found.count;
    // What was killed for memory failed because of the others that ran beside it.
    const ErrorRank rank =
        step.killed_for_memory ? std::min(found.rank, ErrorRank::kSummary) : found.rank;
    if (rank <= best) continue;
    if (best == ErrorRank::kNone || best == ErrorRank::kSummary) {
      best = rank;
      errors = describe(lines, found);
      errors.command = shortened_command(step.command);
    }
  }
  if (best != ErrorRank::kNone) errors.further = count - 1;
  return errors;
}

std::string shortened_command(std::string_view command) {
  constexpr std::size_t kLongest = 240;
  constexpr std::size_t kFirstWords = 4;
  if (command.starts_with(": && ")) command.remove_prefix(5);
  if (command.ends_with(" && :")) command.remove_suffix(5);
  const std::vector<std::string> words = split(command, ' ');
  if (command.size() <= kLongest) return join(words, " ");
  std::vector<std::string> kept;
  bool options = false;
  bool left_out = false;
  std::size_t length = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    options = options || words[i].starts_with('-') || i >= kFirstWords;
    const bool output = i > 0 && words[i - 1] == "-o";
    const bool keep = !options || output || words[i] == "-c" || words[i] == "-o" ||
                      (!words[i].starts_with('-') && is_source(words[i]));
    if (!keep || (!output && length > kLongest)) {
      left_out = true;
      continue;
    }
    if (left_out) kept.emplace_back("...");
    left_out = false;
    length += words[i].size() + 1;
    kept.push_back(words[i]);
  }
  if (left_out) kept.emplace_back("...");
  return join(kept, " ");
}

}  // namespace torchpkg
