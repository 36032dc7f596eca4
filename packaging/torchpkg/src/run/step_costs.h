// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace torchpkg {

/// How the time of a build is spread over its steps. PyTorch's first half of the steps, small C
/// files, takes 2 % of the time; a rate in steps would promise an end in minutes for what takes an
/// hour.
class StepCosts {
 public:
  /// Every step costs the same.
  StepCosts() = default;

  /// Reads what bench/step_costs.py writes: lines that begin with # are comments, `steps N` is the
  /// number of steps that was measured, every other line is a point, `<share of the steps that are
  /// done> <share of the time that has gone>`, both rising and between 0 and 1.
  /// Errors: kEnvironment when the file cannot be read, kBadInput with the line that is wrong.
  static StepCosts read(const std::filesystem::path& file);

  /// Which share of the whole build's time, 0 to 1, its last `left` of `total` steps take. Of a
  /// build that goes on where it was stopped, Ninja counts only the steps that are left.
  [[nodiscard]] double share_left(std::uint64_t left, std::uint64_t total) const;

 private:
  struct Point {
    double steps;  ///< share of the steps
    double time;   ///< share of the time
  };

  std::uint64_t steps_ = 0;
  std::vector<Point> points_ = {{0, 0}, {1, 1}};
};

}  // namespace torchpkg
