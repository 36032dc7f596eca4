// SPDX-License-Identifier: BSD-3-Clause
#include "common/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace torchpkg {

namespace {

constexpr std::chrono::milliseconds kTerminalInterval{100};
constexpr std::chrono::seconds kPlainInterval{14};

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

ProgressLine::ProgressLine()
    : terminal_(::isatty(STDOUT_FILENO) != 0),
      interval_(terminal_ ? kTerminalInterval : kPlainInterval) {}

ProgressLine::~ProgressLine() { clear(); }

bool ProgressLine::due() const { return Clock::now() - last_ >= interval_; }

void ProgressLine::update(std::string_view text) {
  if (!due()) return;
  last_ = Clock::now();
  if (!terminal_) {
    print(text);
    return;
  }
  const std::size_t width = terminal_width() - 1;
  const int shown = static_cast<int>(text.size() < width ? text.size() : width);
  std::fprintf(stdout, "\r\033[K%.*s", shown, text.data());
  std::fflush(stdout);
  shown_ = true;
}

void ProgressLine::print(std::string_view text) {
  clear();
  std::fprintf(stdout, "%.*s\n", static_cast<int>(text.size()), text.data());
  std::fflush(stdout);
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stdout);
  std::fflush(stdout);
  shown_ = false;
}

}  // namespace torchpkg
