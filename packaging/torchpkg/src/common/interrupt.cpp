// SPDX-License-Identifier: BSD-3-Clause
#include "common/interrupt.h"

#include <signal.h>

#include <atomic>

namespace torchpkg {

namespace {

std::atomic<int> pending_signal{0};

void remember(int signal) { pending_signal.store(signal); }

}  // namespace

InterruptGuard::InterruptGuard() {
  pending_signal.store(0);
  ::signal(SIGINT, remember);
  ::signal(SIGTERM, remember);
  if (::signal(SIGHUP, remember) == SIG_IGN) ::signal(SIGHUP, SIG_IGN);  // below nohup
}

InterruptGuard::~InterruptGuard() {
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  if (::signal(SIGHUP, SIG_DFL) == SIG_IGN) ::signal(SIGHUP, SIG_IGN);
}

void InterruptGuard::check() {
  const int signal = pending_signal.load();
  if (signal != 0) throw Interrupted{signal};
}

}  // namespace torchpkg
