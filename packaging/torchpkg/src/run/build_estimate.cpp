// SPDX-License-Identifier: BSD-3-Clause
#include "run/build_estimate.h"

#include <algorithm>
#include <array>
#include <utility>

namespace torchpkg {

namespace {

/// Such compiles show whether a compiler cache has them: one of its hits takes a tenth of a second.
constexpr double kCostly = 2;
constexpr double kHitShare = 0.03;
constexpr double kHitSeconds = 0.1;
/// The hits are counted over about this many of the last compiles.
constexpr double kLateCompiles = 30;

/// What is usual for a kind of step, seconds.
double usual_cost(std::string_view output) {
  constexpr std::array<std::pair<std::string_view, double>, 8> kKinds = {{{".c.o", 0.5},
                                                                          {".S.o", 0.1},
                                                                          {".cu.o", 20},
                                                                          {".cxx.cxx.o", 12},
                                                                          {".so", 5},
                                                                          {"_cxx.o", 12},
                                                                          {".o", 6},
                                                                          {".a", 1}}};
  for (const auto& [suffix, seconds] : kKinds) {
    if (output.ends_with(suffix)) return seconds;
  }
  return 0.5;
}

}  // namespace

void BuildEstimate::Observed::add(double cost, double seconds) {
  expected += cost;
  taken += seconds;
  ++steps;
}

double BuildEstimate::Observed::ratio(double usual, double weight) const {
  return (usual * weight + taken) / (weight + expected);
}

BuildEstimate::BuildEstimate(const std::vector<std::string>& steps, const StepCosts& costs,
                             unsigned jobs)
    : jobs_(std::max(jobs, 1U)) {
  steps_.reserve(steps.size());
  for (const std::string& name : steps) {
    Step step;
    step.output = name.substr(name.rfind(' ') + 1);
    step.folder = step.output.substr(0, step.output.rfind('/') + 1);
    const std::optional<double> cost = costs.seconds(step.output);
    step.known = cost.has_value();
    listed_ = listed_ || step.known;
    step.cost = cost.value_or(usual_cost(step.output));
    cost_ += step.cost;
    if (step.known && step.cost >= kCostly) ++costly_steps_;
    by_name_.emplace(name, steps_.size());
    by_output_.emplace(step.output, steps_.size());
    steps_.push_back(std::move(step));
  }
  steps_left_ = static_cast<double>(steps_.size());
}

void BuildEstimate::finished(std::string_view step, double elapsed) {
  busy_ += std::min(jobs_, steps_left_) * (elapsed - last_);
  last_ = elapsed;
  const auto [begin, end] = by_name_.equal_range(step);
  for (auto found = begin; found != end; ++found) {
    if (steps_[found->second].done) continue;
    steps_[found->second].done = true;
    --steps_left_;
    done_ += steps_[found->second].cost;
    return;
  }
}

void BuildEstimate::took(const std::string& output, double seconds) {
  taken_ += seconds;
  const auto found = by_output_.find(output);
  if (found != by_output_.end()) observe(steps_[found->second], seconds);
}

void BuildEstimate::observe(const Step& step, double seconds) {
  if (step.known && step.cost >= kCostly) {
    const bool hit = seconds < std::max(kHitShare * step.cost, 2 * kHitSeconds) *
                                   std::max(machine_.ratio(1, kCostly), 1.0);
    ++costly_;
    cached_ += ((hit ? 1 : 0) - cached_) / std::min(costly_, kLateCompiles);
    if (hit) return;  // it says nothing about the machine
    machine_.add(step.cost, seconds);
  }
  if (!listed_) machine_.add(step.cost, seconds);
  folders_[step.folder].add(step.cost, seconds);
}

std::optional<double> BuildEstimate::left(double elapsed, std::uint64_t steps_left) const {
  constexpr double kLeastShare = 0.02;
  // Until an expensive compile was one, or ten were hits, nobody knows what a compiler cache has.
  const bool tried = costly_steps_ == 0 || machine_.steps > 0 || costly_ >= kLateCompiles / 3;
  if (share() < kLeastShare || !tried) return std::nullopt;
  // What the list is worth against what was seen: of the whole, and of a folder in steps.
  const double machine = machine_.ratio(1, cost_ / 400);
  double begun = 0;
  double work = 0;
  double longest = 0;
  double unfinished = 0;
  for (const Step& step : steps_) {
    if (step.done) continue;
    double seconds = step.cost * machine;
    if (const auto folder = folders_.find(step.folder); folder != folders_.end()) {
      const Observed& seen = folder->second;
      seconds = step.cost * seen.ratio(machine, 6 * seen.expected / seen.steps);
    }
    if (++unfinished <= jobs_) {
      // Ninja starts them in this order. Where a compiler cache has only a part of them, a running
      // one is mostly one that it does not have.
      begun += seconds * (1 - cached_ * cached_);
    } else {
      if (step.known && step.cost >= kCostly)
        seconds = seconds * (1 - cached_) + kHitSeconds * cached_;
      work += seconds;
      longest = std::max(longest, seconds);
    }
  }
  if (unfinished == 0) return 0;
  const double running = std::min(jobs_, unfinished);
  // They have had the time that no finished step took.
  const double spent = busy_ + running * (elapsed - last_) - taken_;
  work += std::clamp(begun - spent, begun / 3, begun);
  longest = std::max(longest, begun / running / 2);
  const double share_left = std::min(1.0, static_cast<double>(steps_left) / unfinished);
  // At the end some of them have nothing to do while the others finish.
  return (work / running + longest * 2 / 3 * (1 - 1 / running)) * share_left;
}

double BuildEstimate::share() const { return cost_ > 0 ? done_ / cost_ : 0; }

}  // namespace torchpkg
