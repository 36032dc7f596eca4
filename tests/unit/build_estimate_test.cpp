// SPDX-License-Identifier: BSD-3-Clause
#include "run/build_estimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <sstream>

#include "support.h"

namespace torchpkg::test {
namespace {

/// A step of a build that is replayed: what Ninja calls it and how long it takes.
struct ReplayStep {
  std::string output;
  double seconds;
};

using Build = std::vector<ReplayStep>;

/// What a build of PyTorch consists of: the numbers of its own build.ninja, and the mean seconds of
/// releases/2.6.0/pytorch/step_costs.txt. Single steps differ, most of them by up to two times.
Build pytorch(unsigned seed, bool fbgemm) {
  struct Part {
    const char* folder;
    const char* suffix;
    int count;
    double mean;
  };
  std::vector<Part> parts = {
      {"confu-deps/XNNPACK/CMakeFiles/microkernels-prod.dir/", ".c.o", 983, 0.4},
      {"third_party/tensorpipe/third_party/libuv/CMakeFiles/uv_a.dir/", ".c.o", 70, 0.21},
      {"third_party/onnx/CMakeFiles/onnx.dir/Unity/unity_", "_cxx.cxx.o", 6, 19},
      {"third_party/ideep/mkl-dnn/src/cpu/CMakeFiles/dnnl_cpu.dir/", ".cpp.o", 16, 13},
      {"third_party/ideep/mkl-dnn/src/cpu/CMakeFiles/dnnl_cpu.dir/Unity/u_", "_cxx.cxx.o", 11, 42},
      {"third_party/ideep/mkl-dnn/src/cpu/x64/CMakeFiles/dnnl_cpu_x64.dir/", ".cpp.o", 100, 10},
      {"third_party/ideep/mkl-dnn/src/cpu/x64/CMakeFiles/dnnl_cpu_x64.dir/Unity/u_", "_cxx.cxx.o",
       29, 44},
      {"c10/CMakeFiles/c10.dir/Unity/unity_", "_cxx.cxx.o", 6, 7},
      {"caffe2/CMakeFiles/torch_cpu.dir/Unity/unity_", "_cxx.cxx.o", 103, 28},
      {"caffe2/CMakeFiles/torch_cpu.dir/__/aten/src/ATen/", ".cpp.o", 120, 12},
      {"caffe2/CMakeFiles/torch_cpu.dir/__/torch/csrc/autograd/generated/", ".cpp.o", 14, 67},
      {"caffe2/CMakeFiles/torch_cpu.dir/__/aten/src/ATen/native/cpu/", ".cpp.o", 192, 12}};
  if (fbgemm) {
    parts.insert(parts.begin() + 3, {"third_party/fbgemm/CMakeFiles/fbgemm_avx2.dir/src/F",
                                     "DepthwiseAvx2.cc.o", 13, 270});
    parts.insert(parts.begin() + 4,
                 {"third_party/fbgemm/CMakeFiles/fbgemm_avx2.dir/src/", ".cc.o", 25, 15});
  }
  std::mt19937 random(seed);
  std::normal_distribution<double> spread(0, 0.6);
  Build build;
  for (const Part& part : parts) {
    for (int i = 0; i < part.count; ++i) {
      // FBGEMM's 13: three to six minutes each
      const double seconds =
          part.count == 13 ? 180 + 15 * i : part.mean * std::exp(spread(random) - 0.18);
      build.push_back({part.folder + std::to_string(i) + part.suffix, seconds});
    }
  }
  build.push_back({"lib/libtorch_cpu.so", 25});
  return build;
}

/// The real log of a build by Ninja, in the order in which its steps began.
Build logged(const std::string& name) {
  std::istringstream lines(file_content(fs::path(TORCHPKG_LOGS) / name));
  std::vector<std::pair<double, ReplayStep>> steps;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    double start = 0;
    double end = 0;
    std::string time;
    std::string output;
    words >> start >> end >> time >> output;
    steps.push_back({start, {output, (end - start) / 1000}});
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Build build;
  for (auto& [start, step] : steps) build.push_back(std::move(step));
  return build;
}

StepCosts list() {
  return StepCosts::read(fs::path(TORCHPKG_LOGS) /
                         "../../../releases/2.6.0/pytorch/step_costs.txt");
}

/// Replays a build as Ninja would run it, and returns by which factor the time left was off at
/// worst from a tenth of the time on, where it was off by more than half a minute and a twentieth
/// of the whole time.
double worst_factor(const Build& build, const StepCosts& costs, unsigned jobs) {
  struct Event {
    double at;
    std::size_t step;
  };
  std::vector<std::string> names;
  std::vector<Event> events;
  std::vector<double> free(jobs, 0);
  for (std::size_t i = 0; i < build.size(); ++i) {
    names.push_back("Building CXX object " + build[i].output);
    double& slot = *std::min_element(free.begin(), free.end());
    slot += build[i].seconds;
    events.push_back({slot, i});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.at < b.at; });
  const double total = events.back().at;
  BuildEstimate estimate(names, costs, jobs);
  double worst = 1;
  double unsaid = 0;
  std::size_t next = 0;
  for (int part = 0; part < 500; ++part) {
    const double now = total * part / 500;
    if (now >= total - std::min(60.0, total / 10)) break;
    for (; next < events.size() && events[next].at <= now; ++next) {
      estimate.finished(names[events[next].step], events[next].at);
      estimate.took(build[events[next].step].output, build[events[next].step].seconds);
    }
    if (now < total / 10) continue;
    const auto left = estimate.left(now, build.size() - next);
    if (!left) {
      unsaid = now;
      continue;
    }
    if (std::abs(*left - (total - now)) < std::max(30.0, total / 20)) continue;
    const double factor = std::max(*left, 1.0) / (total - now);
    worst = std::max({worst, factor, 1 / factor});
  }
  // A run of cheap steps says nothing about the others.
  EXPECT_LT(unsaid, std::max(60.0, total / 10));
  return worst;
}

Build changed(Build build, const std::function<double(const ReplayStep&)>& seconds) {
  for (ReplayStep& step : build) step.seconds = seconds(step);
  return build;
}

/// The list without what it says about FBGEMM.
StepCosts list_without_fbgemm() {
  std::string text =
      file_content(fs::path(TORCHPKG_LOGS) / "../../../releases/2.6.0/pytorch/step_costs.txt");
  for (std::size_t at = 0; (at = text.find("third_party/fbgemm")) != std::string::npos;) {
    text.replace(at, 18, "elsewhere");
  }
  const TemporaryFolder folder;
  write_file(folder / "costs", text);
  return StepCosts::read(folder / "costs");
}

Build cached(const Build& build, const std::function<bool(int)>& hit) {
  int number = 0;
  return changed(build,
                 [&](const ReplayStep& step) { return hit(++number) ? 0.06 : step.seconds; });
}

TEST(BuildEstimate, WithinAFactorOfTwoAfterATenth) {
  const StepCosts costs = list();
  const auto check = [](const std::string& what, const Build& build, const StepCosts& known,
                        unsigned jobs) {
    const double factor = worst_factor(build, known, jobs);
    std::printf("%-40s %2u jobs: %.2f\n", what.c_str(), jobs, factor);
    EXPECT_LT(factor, 2) << what << ", " << jobs << " jobs";
  };
  for (unsigned seed = 1; seed <= 2; ++seed) {
    const Build all = pytorch(seed, true);
    for (const unsigned jobs : {2U, 16U}) {
      check("PyTorch", pytorch(seed, false), costs, jobs);
      check("PyTorch with FBGEMM", all, costs, jobs);
      check("nothing is known of FBGEMM", all, list_without_fbgemm(), jobs);
      check("it goes on after a third", Build(all.begin() + 1000, all.end()), costs, jobs);
      check("five times slower", changed(all, [](const auto& step) { return 5 * step.seconds; }),
            costs, jobs);
      check("eight times faster", changed(all, [](const auto& step) { return step.seconds / 8; }),
            costs, jobs);
      check("a compiler cache has the first half", cached(all, [](int i) { return i < 900; }),
            costs, jobs);
      check("a compiler cache has everything", cached(all, [](int) { return true; }), costs, jobs);
    }
    Build reversed = all;
    std::reverse(reversed.begin(), reversed.end());
    check("the expensive ones last", reversed, costs, 2);
    check("a compiler cache has every other one", cached(all, [](int i) { return i % 2 == 0; }),
          costs, 2);
  }
  // Without a compiler cache, gcc 14, by 16 jobs; a seventh of it by 2, counted as if by 16.
  const Build real = logged("pytorch-2.6.0.ninja_log");
  for (const unsigned jobs : {2U, 16U}) {
    check("real log: PyTorch", real, costs, jobs);
    check("real log: PyTorch, after a third", Build(real.begin() + 1200, real.end()), costs, jobs);
  }
  check("real log: protobuf", logged("protobuf.ninja_log"), {}, 2);
  check("real log: sleef", logged("sleef.ninja_log"), {}, 2);
}

TEST(BuildEstimate, ASteadyBuildOfWhichNothingIsKnown) {
  BuildEstimate estimate({"Building C object a.c.o", "Building C object b.c.o",
                          "Building C object c.c.o", "Building C object d.c.o"},
                         {}, 1);
  EXPECT_FALSE(estimate.left(0, 4).has_value());
  estimate.finished("Building C object a.c.o", 1);
  estimate.took("a.c.o", 1);
  estimate.finished("no step of the plan", 1);
  EXPECT_DOUBLE_EQ(estimate.share(), 0.25);
  EXPECT_NEAR(estimate.left(1, 3).value_or(0), 3, 1.5);
  EXPECT_NEAR(estimate.left(1, 1).value_or(0), 1, 0.5) << "two turned out to be up to date";
  for (const char* name : {"b.c.o", "c.c.o", "d.c.o"}) {
    estimate.finished("Building C object " + std::string(name), 4);
  }
  EXPECT_DOUBLE_EQ(estimate.left(4, 0).value_or(1), 0);
}

TEST(BuildEstimate, TheFirstLineOfTheListThatFitsCounts) {
  const TemporaryFolder folder;
  write_file(folder / "costs", "# comment\n\n240 */fbgemm/*Depthwise*.o\n15 */fbgemm/*\n0.5 *.o\n");
  const StepCosts costs = StepCosts::read(folder / "costs");
  EXPECT_EQ(costs.seconds("x/fbgemm/src/ADepthwiseAvx2.cc.o"), 240);
  EXPECT_EQ(costs.seconds("x/fbgemm/src/B.cc.o"), 15);
  EXPECT_EQ(costs.seconds("x/C.cc.o"), 0.5);
  EXPECT_EQ(costs.seconds("lib/libx.so"), std::nullopt);
}

}  // namespace
}  // namespace torchpkg::test
