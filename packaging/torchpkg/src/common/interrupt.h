// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace torchpkg {

/// While it lives, SIGINT, SIGTERM and SIGHUP (a terminal that is closed) do not end the process
/// but are remembered, so that half-written files can be removed first. Below nohup SIGHUP has no
/// effect.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Throws Interrupted once a signal has come.
  static void check();
};

/// Thrown by InterruptGuard::check(); the process is to end with code 128 + signal.
struct Interrupted {
  int signal;
};

}  // namespace torchpkg
