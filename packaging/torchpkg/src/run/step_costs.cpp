// SPDX-License-Identifier: BSD-3-Clause
#include "run/step_costs.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "common/error.h"
#include "common/file.h"

namespace torchpkg {

StepCosts StepCosts::read(const std::filesystem::path& file) {
  StepCosts costs;
  costs.points_ = {{0, 0}};
  std::istringstream lines(read_text(file));
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string rest;
    bool good = false;
    if (line.starts_with("steps ")) {
      good = (words >> rest >> costs.steps_) && !(words >> rest);
    } else {
      Point point{};
      const Point& last = costs.points_.back();
      good = (words >> point.steps >> point.time) && !(words >> rest) && point.steps > last.steps &&
             point.steps <= 1 && point.time >= last.time && point.time <= 1;
      if (good) costs.points_.push_back(point);
    }
    if (!good) {
      throw Error(
          ExitCode::kBadInput,
          fmt::format("{}: line {} is no point of a rising curve: {}", file.string(), number, line),
          "write it again with bench/step_costs.py");
    }
  }
  if (costs.points_.back().steps < 1) costs.points_.push_back({1, 1});
  return costs;
}

double StepCosts::share_left(std::uint64_t left, std::uint64_t total) const {
  const std::uint64_t whole = std::max(steps_, total);
  if (whole == 0) return 0;
  const double done = 1 - static_cast<double>(left) / static_cast<double>(whole);
  const auto above = std::find_if(points_.begin() + 1, points_.end() - 1,
                                  [done](const Point& point) { return point.steps >= done; });
  const Point& from = *(above - 1);
  const double part = (done - from.steps) / (above->steps - from.steps);
  return 1 - (from.time + part * (above->time - from.time));
}

}  // namespace torchpkg
