// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace torchpkg {

/// Shows progress on standard output: one line that is rewritten on a terminal, plain lines now
/// and then elsewhere (no control characters).
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows `text` if it is due; cut to the width of the terminal.
  void update(std::string_view text);

  /// True when the next update() would show something (so that the text need not be made).
  [[nodiscard]] bool due() const;

  /// Replaces the progress line by `text` that stays.
  void print(std::string_view text);

  /// Removes the progress line from a terminal.
  void clear();

 private:
  bool terminal_;
  std::chrono::milliseconds interval_;
  Clock::time_point last_ = Clock::now();
  bool shown_ = false;
};

}  // namespace torchpkg
