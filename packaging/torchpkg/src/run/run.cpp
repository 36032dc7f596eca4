// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>

#include "common/error.h"
#include "common/terminal.h"
#include "common/text.h"
#include "run/build_log.h"
#include "run/downloads.h"
#include "run/log_errors.h"
#include "run/ninja_command.h"
#include "run/ninja_progress.h"
#include "run/step_costs.h"
#include "run/supervisor.h"

namespace torchpkg {

namespace {

/// A value of /proc/meminfo in bytes; 0 when it cannot be read.
std::uint64_t memory_info(std::string_view key) {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::uint64_t kibibytes = 0;
  std::string rest;
  while (file >> name >> kibibytes && std::getline(file, rest)) {
    if (std::string_view(name).substr(0, name.size() - 1) == key) return kibibytes * 1024;
  }
  return 0;
}

constexpr const char* kPinIt =
    "pin what it wants, or switch it off: docs/adding-a-package.md#it-wants-to-download";

std::string wanted_downloads(const std::vector<Download>& downloads) {
  std::vector<std::string> names;
  names.reserve(downloads.size());
  for (const Download& download : downloads) names.push_back(download.what);
  return join_some(names, 10);
}

/// One phase being run, with its second tries.
class Phase {
 public:
  explicit Phase(const RunOptions& options)
      : options_(options),
        label_(options.package + " " + options.phase),
        costs_(options.step_costs.empty() ? StepCosts() : StepCosts::read(options.step_costs)),
        supervisor_(options.log, options.no_network.empty()
                                     ? NetworkGuard()
                                     : NetworkGuard(options.no_network, options.network_namespace)),
        line_(options.interval) {}

  int run() {
    const auto started = std::chrono::steady_clock::now();
    supervisor_.note("$ " + join(options_.command, " "));
    Outcome outcome = attempt(options_.command);
    while (outcome.exit_code != 0 && outcome.interrupted_by == 0) {
      if (!retry(outcome)) break;
    }
    if (outcome.interrupted_by != 0) {
      complain(fmt::format("torchpkg: {} interrupted; run it again to continue", label_));
      return outcome.exit_code;
    }
    if (outcome.exit_code != 0) {
      report_failure(outcome);
      return outcome.exit_code;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
    if (const std::string wanted = wanted_downloads(downloads_in(attempt_log())); !wanted.empty()) {
      complain(fmt::format("torchpkg: {} tried to download and continued without: {}\nremedy: {}",
                           label_, wanted, kPinIt));
    }
    line_.print(fmt::format("{} done in {}", label_, human_time(took.count())));
    return 0;
  }

 private:
  Outcome attempt(const std::vector<std::string>& command) {
    attempt_at_ = supervisor_.log_size();
    line_.update(label_);
    std::optional<BuildEstimate> estimate;
    std::optional<NinjaLog> durations;
    if (const auto ninja = ninja_command(command)) {
      const std::vector<std::string> steps = planned_steps(*ninja);
      if (!steps.empty()) {
        estimate.emplace(steps, costs_, ninja->jobs);
        durations.emplace(ninja->folder);
      }
    }
    NinjaProgress progress(label_, std::move(estimate));
    return supervisor_.run(
        command, [&](std::string_view text) { progress.see(text); },
        [&] {
          if (!line_.due()) return;
          if (durations) {
            durations->read(
                [&](const std::string& output, double seconds) { progress.took(output, seconds); });
          }
          line_.update(progress.text());
        });
  }

  /// What the log has had since the last attempt began.
  [[nodiscard]] std::string attempt_log() const {
    return read_text(options_.log).substr(attempt_at_);
  }

  /// Tries again what was killed for memory; false when there is nothing (more) to try.
  bool retry(Outcome& outcome) {
    const BuildFailure failure = analyse_build_log(attempt_log());
    if (!failure.only_memory() && !(outcome.killed && failure.steps.empty())) return false;
    const std::vector<std::string> outputs = failure.outputs();
    const std::string what = outputs.empty() ? label_ : join_some(outputs, 5);
    const bool seen = std::any_of(outputs.begin(), outputs.end(), [this](const std::string& name) {
      return retried_.count(name) != 0;
    });
    const auto ninja = ninja_command(options_.command);
    if (seen || !options_.retry_alone || outputs.empty() || !ninja) {
      say(fmt::format("{}: the compiler was killed for lack of memory: {}", label_, what));
      if (seen)
        report_memory();
      else
        advice_ = "use fewer jobs, or a machine with more memory, and run it again";
      return false;
    }
    say(fmt::format("{}: the compiler was killed for lack of memory: {}; trying it again alone",
                    label_, what));
    retried_.insert(outputs.begin(), outputs.end());
    memory_before_ = memory_info("MemAvailable");
    outcome = attempt(ninja->alone(outputs));
    if (outcome.exit_code != 0) {
      const BuildFailure again = analyse_build_log(attempt_log());
      if (outcome.interrupted_by == 0 && again.only_memory()) report_memory();
      return false;
    }
    outcome = attempt(options_.command);
    return true;
  }

  void report_memory() {
    say(
        fmt::format("{}: it was killed again although it ran alone: {} of {} memory were free, "
                    "and that was not enough",
                    label_, human_size(memory_before_), human_size(memory_info("MemTotal"))));
    advice_ = "stop other programs, add swap space, or use a machine with more memory";
  }

  void report_failure(const Outcome& outcome) {
    complain(fmt::format("torchpkg: {} failed (exit {})", label_, outcome.exit_code));
    const std::string log = attempt_log();
    const LogErrors errors = find_log_errors(log);
    std::string text = errors.first;
    const std::vector<Download> downloads = downloads_in(log);
    if (text.empty()) {
      text = log_tail(log, options_.tail);
      // A download at the very end is why, and its own words say less than ours below.
      const bool clear = std::any_of(
          downloads.begin(), downloads.end(),
          [&](const Download& tried) { return text.find(tried.line) != std::string::npos; });
      if (clear) text.clear();
    }
    if (!errors.command.empty()) text.insert(0, errors.command + "\n");
    if (errors.further == 1) text += "1 more error is in the log\n";
    if (errors.further > 1) text += fmt::format("{} more errors are in the log\n", errors.further);
    text += fmt::format("log: {}\n", options_.log.string());
    if (!errors.warning.empty()) {
      text += fmt::format("package {} treats the warning {} as an error in {}\n", options_.package,
                          errors.warning, errors.file);
      advice_ = fmt::format("add a patch that removes the pragma, or use another compiler: {}=...",
                            errors.file.ends_with(".c") ? "CC" : "CXX");
    }
    if (!downloads.empty()) {
      text += fmt::format("torchpkg: {} tried to download, but only fetch uses the network: {}\n",
                          label_, wanted_downloads(downloads));
      if (errors.warning.empty()) advice_ = kPinIt;
    }
    if (!advice_.empty()) text += fmt::format("remedy: {}\n", advice_);
    std::fwrite(text.data(), 1, text.size(), stderr);
  }

  void say(const std::string& text) {
    complain("torchpkg: " + text);
    supervisor_.note("torchpkg: " + text);
  }

  void complain(const std::string& text) {
    line_.clear();
    std::fprintf(stderr, "%s\n", text.c_str());
  }

  const RunOptions& options_;
  std::string label_;
  StepCosts costs_;
  Supervisor supervisor_;
  ProgressLine line_;
  std::uint64_t attempt_at_ = 0;
  std::uint64_t memory_before_ = 0;
  std::set<std::string> retried_;
  std::string advice_;
};

}  // namespace

int run(const RunOptions& options) {
  if (options.command.empty()) {
    throw Error(ExitCode::kUsage, "there is no command to run", "give it after --");
  }
  return Phase(options).run();
}

}  // namespace torchpkg
