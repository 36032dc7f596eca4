// SPDX-License-Identifier: BSD-3-Clause
#include "run/build_log.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

#include "common/text.h"
#include "run/ninja_progress.h"

namespace torchpkg {

namespace {

constexpr std::string_view kFailed = "FAILED: ";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool contains_ignoring_case(std::string_view text, std::string_view lower_case) {
  return std::search(text.begin(), text.end(), lower_case.begin(), lower_case.end(),
                     [](char a, char b) {
                       return std::tolower(static_cast<unsigned char>(a)) == b;
                     }) != text.end();
}

/// The outputs of a `FAILED:` line. Newer Ninjas put the exit code before them: `[code=137] x.o`.
std::vector<std::string> outputs_of(std::string_view line) {
  std::vector<std::string> outputs = split(line.substr(kFailed.size()), ' ');
  if (!outputs.empty() && outputs[0].starts_with("[code=")) outputs.erase(outputs.begin());
  return outputs;
}

bool killed_by_code(std::string_view line) {
  return line.starts_with("FAILED: [code=137]") || line.starts_with("FAILED: [code=9]");
}

}  // namespace

bool BuildFailure::only_memory() const {
  if (steps.empty()) return memory_named;
  return std::all_of(steps.begin(), steps.end(),
                     [](const FailedStep& step) { return step.killed_for_memory; });
}

std::vector<std::string> BuildFailure::outputs() const {
  std::vector<std::string> all;
  for (const FailedStep& step : steps) {
    all.insert(all.end(), step.outputs.begin(), step.outputs.end());
  }
  return all;
}

bool names_lack_of_memory(std::string_view line) {
  constexpr std::array<std::string_view, 8> kPatterns = {"killed signal terminated program",
                                                         "fatal error: killed",
                                                         "virtual memory exhausted",
                                                         "out of memory allocating",
                                                         "cannot allocate memory",
                                                         "ld terminated with signal 9",
                                                         "memory exhausted",
                                                         "unable to execute command: killed"};
  if (line == "Killed") return true;
  return std::any_of(kPatterns.begin(), kPatterns.end(), [line](std::string_view pattern) {
    return contains_ignoring_case(line, pattern);
  });
}

BuildFailure analyse_build_log(std::string_view log) {
  BuildFailure failure;
  const std::vector<std::string_view> lines = lines_of(log);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (names_lack_of_memory(lines[i])) failure.memory_named = true;
    if (!lines[i].starts_with(kFailed)) continue;
    FailedStep step;
    step.outputs = outputs_of(lines[i]);
    step.killed_for_memory = killed_by_code(lines[i]);
    bool said_something = false;
    // The next line is the command; then comes what it printed, up to the next step.
    if (i + 1 < lines.size()) step.command = lines[i + 1];
    for (std::size_t j = i + 2; j < lines.size(); ++j) {
      if (lines[j].starts_with(kFailed) || lines[j].starts_with("ninja: ") ||
          parse_ninja_status(lines[j])) {
        break;
      }
      said_something = said_something || !lines[j].empty();
      step.output.append(lines[j]).append("\n");
      if (names_lack_of_memory(lines[j])) step.killed_for_memory = true;
    }
    // A compiler that fails says why. One that is killed itself cannot.
    if (!said_something) step.killed_for_memory = true;
    failure.steps.push_back(std::move(step));
  }
  return failure;
}

std::string log_tail(std::string_view log, std::size_t count) {
  const std::vector<std::string_view> lines = lines_of(log);
  std::size_t from = lines.size() - std::min(count, lines.size());
  const auto failed = std::find_if(lines.begin(), lines.end(),
                                   [](std::string_view line) { return line.starts_with(kFailed); });
  if (failed != lines.end()) from = static_cast<std::size_t>(std::distance(lines.begin(), failed));
  const std::size_t to = std::min(from + count, lines.size());
  std::string text;
  for (std::size_t i = from; i < to; ++i) text.append(lines[i]).append("\n");
  if (to < lines.size()) text.append("...\n").append(lines.back()).append("\n");
  return text;
}

}  // namespace torchpkg
