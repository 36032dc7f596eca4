// SPDX-License-Identifier: BSD-3-Clause
#include "run/step_costs.h"

#include <fmt/core.h>
#include <fnmatch.h>

#include <sstream>

#include "common/error.h"
#include "common/file.h"

namespace torchpkg {

StepCosts StepCosts::read(const std::filesystem::path& file) {
  StepCosts costs;
  std::istringstream lines(read_text(file));
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    Line cost{};
    std::string rest;
    if (!(words >> cost.seconds >> cost.pattern) || words >> rest || cost.seconds <= 0) {
      throw Error(
          ExitCode::kBadInput,
          fmt::format("{}: line {} is not '<seconds> <pattern>': {}", file.string(), number, line),
          "correct it; tools/step_costs.py writes such lines");
    }
    costs.lines_.push_back(std::move(cost));
  }
  return costs;
}

std::optional<double> StepCosts::seconds(const std::string& output) const {
  for (const Line& line : lines_) {
    if (::fnmatch(line.pattern.c_str(), output.c_str(), FNM_NOESCAPE) == 0) return line.seconds;
  }
  return std::nullopt;
}

}  // namespace torchpkg
