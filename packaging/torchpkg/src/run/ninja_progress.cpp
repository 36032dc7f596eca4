// SPDX-License-Identifier: BSD-3-Clause
#include "run/ninja_progress.h"

#include <fmt/core.h>

#include <charconv>
#include <utility>

#include "common/text.h"

namespace torchpkg {

std::optional<NinjaStatus> parse_ninja_status(std::string_view line) {
  NinjaStatus status;
  if (!line.starts_with('[')) return std::nullopt;
  const char* end = line.data() + line.size();
  const auto finished = std::from_chars(line.data() + 1, end, status.finished);
  if (finished.ec != std::errc{} || finished.ptr == end || *finished.ptr != '/') {
    return std::nullopt;
  }
  const auto total = std::from_chars(finished.ptr + 1, end, status.total);
  const std::string_view rest(total.ptr, static_cast<std::size_t>(end - total.ptr));
  if (total.ec != std::errc{} || !rest.starts_with("] ")) return std::nullopt;
  if (status.total == 0 || status.finished > status.total) return std::nullopt;
  status.what = rest.substr(2);
  return status;
}

NinjaProgress::NinjaProgress(std::string label, StepCosts costs, Clock::time_point now)
    : label_(std::move(label)), costs_(std::move(costs)), started_(now) {}

void NinjaProgress::see(std::string_view line, Clock::time_point now) {
  const std::optional<NinjaStatus> status = parse_ninja_status(line);
  if (!status) {
    // Between Ninja's own lines stands what compilers say; that is for the log.
    if (total_ == 0 && !line.empty()) what_ = line;
    return;
  }
  // A new run of Ninja (another target, a second try) begins to count again.
  if (total_ == 0 || status->finished < finished_) {
    first_at_ = now;
    first_finished_ = status->finished;
  }
  finished_ = status->finished;
  total_ = status->total;
  what_ = status->what;
}

std::string NinjaProgress::time_left(Clock::time_point now) const {
  // From less than that of the time nothing can be told: a build that goes on may begin with its
  // longest steps, of which the costs expect little.
  constexpr double kLeastShare = 0.02;
  const double left = costs_.share_left(total_ - finished_, total_);
  const double gone = costs_.share_left(total_ - first_finished_, total_) - left;
  const double seconds = std::chrono::duration<double>(now - first_at_).count();
  if (gone < kLeastShare || seconds < 1) return {};
  return human_time(seconds / gone * left) + " left";
}

std::string NinjaProgress::text(Clock::time_point now) const {
  if (total_ == 0) {
    const double seconds = std::chrono::duration<double>(now - started_).count();
    return fmt::format("{} {}{}{}", label_, human_time(seconds), what_.empty() ? "" : "  ", what_);
  }
  const std::string left = time_left(now);
  const double gone =
      1 - costs_.share_left(total_ - finished_, total_) / costs_.share_left(total_, total_);
  return fmt::format("{} {}/{} {}%{}{}  {}", label_, finished_, total_,
                     static_cast<int>(gone * 100 + 1e-9), left.empty() ? "" : "  ", left, what_);
}

}  // namespace torchpkg
