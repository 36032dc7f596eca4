// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "run/build_estimate.h"

namespace torchpkg {

/// A line that Ninja prints before a step: `[312/1452] Building CXX object x.o`.
struct NinjaStatus {
  std::uint64_t finished = 0;
  std::uint64_t total = 0;
  std::string_view what;  ///< points into the parsed line
};

/// Nothing when the line is not of the form that NINJA_STATUS="[%f/%t] " gives.
std::optional<NinjaStatus> parse_ninja_status(std::string_view line);

/// Turns Ninja's lines into one progress line with the time that is left.
class NinjaProgress {
 public:
  using Clock = std::chrono::steady_clock;

  /// `label`: "pytorch build". `estimate`: of the steps that Ninja will do, when they are known;
  /// else every step is expected to take the same time.
  explicit NinjaProgress(std::string label, std::optional<BuildEstimate> estimate = {},
                         Clock::time_point now = Clock::now());

  /// Takes note of a line of the log.
  void see(std::string_view line, Clock::time_point now = Clock::now());

  /// Takes note of how long a step took, as Ninja's log says.
  void took(const std::string& output, double seconds);

  /// "pytorch build 312/1452 21%  3m10s left  <what>", the per cent being of the time, and what is
  /// left said from a fiftieth of the time on; before the first step, and for tools that are not
  /// Ninja, "pytorch build 12s  <last line>".
  [[nodiscard]] std::string text(Clock::time_point now = Clock::now()) const;

 private:
  [[nodiscard]] std::string time_left(Clock::time_point now) const;

  std::string label_;
  std::optional<BuildEstimate> estimate_;
  Clock::time_point started_;
  Clock::time_point first_at_{};
  std::uint64_t first_finished_ = 0;
  std::uint64_t finished_ = 0;
  std::uint64_t total_ = 0;
  std::string what_;
};

}  // namespace torchpkg
