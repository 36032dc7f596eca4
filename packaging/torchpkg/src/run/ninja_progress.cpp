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

NinjaProgress::NinjaProgress(std::string label, std::optional<BuildEstimate> estimate,
                             Clock::time_point now)
    : label_(std::move(label)), estimate_(std::move(estimate)), started_(now) {}

void NinjaProgress::took(const std::string& output, double seconds) {
  if (estimate_) estimate_->took(output, seconds);
}

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
  if (estimate_) estimate_->finished(what_, std::chrono::duration<double>(now - started_).count());
}

std::string NinjaProgress::time_left(Clock::time_point now) const {
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  std::optional<double> left;
  if (estimate_) {
    left = estimate_->left(elapsed, total_ - finished_);
  } else if (const std::uint64_t gone = finished_ - first_finished_; gone * 50 >= total_) {
    left = std::chrono::duration<double>(now - first_at_).count() / static_cast<double>(gone) *
           static_cast<double>(total_ - finished_);
  }
  return left && elapsed >= 1 ? human_time(*left) + " left" : "";
}

std::string NinjaProgress::text(Clock::time_point now) const {
  if (total_ == 0) {
    const double seconds = std::chrono::duration<double>(now - started_).count();
    return fmt::format("{} {}{}{}", label_, human_time(seconds), what_.empty() ? "" : "  ", what_);
  }
  const std::string left = time_left(now);
  const double gone =
      estimate_ ? estimate_->share() : static_cast<double>(finished_) / static_cast<double>(total_);
  return fmt::format("{} {}/{} {}%{}{}  {}", label_, finished_, total_,
                     static_cast<int>(gone * 100 + 1e-9), left.empty() ? "" : "  ", left, what_);
}

}  // namespace torchpkg
