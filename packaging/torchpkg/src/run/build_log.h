// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchpkg {

/// A build step that failed, as Ninja reports it: `FAILED: <outputs>`, its command, what it said.
struct FailedStep {
  std::vector<std::string> outputs;
  std::string command;
  std::string output;              ///< what the command printed
  bool killed_for_memory = false;  ///< it says so, or it died without a word
};

/// What the log of one run of a build tool tells.
struct BuildFailure {
  std::vector<FailedStep> steps;
  bool memory_named = false;  ///< somewhere in the log memory is named as the reason

  /// Whether lack of memory is all that went wrong: only then does another try make sense.
  [[nodiscard]] bool only_memory() const;

  /// All outputs of all failed steps.
  [[nodiscard]] std::vector<std::string> outputs() const;
};

/// Whether a line reports a compiler or linker that was killed, or stopped, for lack of memory.
bool names_lack_of_memory(std::string_view line);

/// Reads the log of one run.
BuildFailure analyse_build_log(std::string_view log);

/// The last `count` lines; or, when a `FAILED:` line stands before them or among them, the
/// `count` lines from the first such line on (and the last line, when it was left out).
std::string log_tail(std::string_view log, std::size_t count);

}  // namespace torchpkg
