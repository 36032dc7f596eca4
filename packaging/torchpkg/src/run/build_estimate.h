// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/step_costs.h"

namespace torchpkg {

/// How long a build of known steps still takes.
///
/// Each step has a cost: that of the list, or what is usual for its kind. From what the finished
/// steps really took follow the machine's speed (of the steps in the list only: an unknown one that
/// takes minutes says nothing about the others), for each folder of objects how far its costs are
/// off, and which part of the compiles comes out of a compiler cache lately.
class BuildEstimate {
 public:
  /// `steps`: Ninja's descriptions of all that is to be done. `jobs`: how many run at once.
  BuildEstimate(const std::vector<std::string>& steps, const StepCosts& costs, unsigned jobs);

  /// Ninja has said, `elapsed` seconds after it began, that a step is done.
  void finished(std::string_view step, double elapsed);

  /// Ninja's log says how long the step that makes `output` took.
  void took(const std::string& output, double seconds);

  /// Seconds that are left after `elapsed` seconds, when Ninja counts `steps_left` steps (it takes
  /// steps out that turn out to be up to date). Nothing before a fiftieth of the work.
  [[nodiscard]] std::optional<double> left(double elapsed, std::uint64_t steps_left) const;

  /// The share of the work that is done, 0 to 1, by what the list says.
  [[nodiscard]] double share() const;

 private:
  /// What was expected of some finished steps and what they took, seconds.
  struct Observed {
    double expected = 0;
    double taken = 0;
    double steps = 0;
    void add(double cost, double seconds);
    /// How far off the costs are; `weight`: how many seconds of cost `usual` is worth.
    [[nodiscard]] double ratio(double usual, double weight) const;
  };

  struct Step {
    std::string output;
    std::string folder;
    double cost = 0;
    bool known = false;  ///< to the list
    bool done = false;
  };

  void observe(const Step& step, double seconds);

  std::vector<Step> steps_;
  std::multimap<std::string, std::size_t, std::less<>> by_name_;
  std::map<std::string, std::size_t, std::less<>> by_output_;
  std::map<std::string, Observed> folders_;
  Observed machine_;
  bool listed_ = false;  ///< the list knows any of the steps
  double jobs_;
  double cost_ = 0;  ///< of all steps
  double done_ = 0;  ///< cost of the finished ones
  double steps_left_ = 0;
  double last_ = 0;          ///< when a step was finished last, seconds
  double busy_ = 0;          ///< what all jobs together have worked until then, seconds
  double taken_ = 0;         ///< by all finished steps
  double costly_ = 0;        ///< expensive compiles that Ninja's log told of
  double costly_steps_ = 0;  ///< how many there are
  double cached_ = 0;        ///< the share of the late compiles that came from a compiler cache
};

}  // namespace torchpkg
