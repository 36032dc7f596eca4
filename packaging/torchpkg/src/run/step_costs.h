// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchpkg {

/// What the steps of a build cost on the machine where that was measured. PyTorch's first thousand
/// steps, small C files, take 2 % of the time; a rate in steps would promise an end in minutes for
/// what takes an hour.
class StepCosts {
 public:
  /// Nothing is known.
  StepCosts() = default;

  /// Reads releases/<version>/pytorch/step_costs.txt: lines that begin with # are comments, every
  /// other is
  /// `<seconds> <pattern>`. The pattern is for a step's output, `*` in it stands for any
  /// characters, and the first line that fits counts.
  /// Errors: kEnvironment when the file cannot be read, kBadInput with the line that is wrong.
  static StepCosts read(const std::filesystem::path& file);

  /// The seconds of the step that makes `output`; nothing when no line fits.
  [[nodiscard]] std::optional<double> seconds(const std::string& output) const;

 private:
  struct Line {
    double seconds;
    std::string pattern;
  };

  std::vector<Line> lines_;
};

}  // namespace torchpkg
