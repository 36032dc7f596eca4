// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/file.h"
#include "run/network.h"

namespace torchpkg {

/// How a supervised command ended.
struct Outcome {
  int exit_code = 0;       ///< its own, or 128 + the signal that ended it
  bool killed = false;     ///< it died of SIGKILL
  int interrupted_by = 0;  ///< the SIGINT, SIGTERM or SIGHUP that we got and passed on
};

/// Runs commands in a process group of their own, with all that they print going into a log.
/// SIGINT, SIGTERM and SIGHUP are passed on to the group; the command is then waited for. When
/// this process dies, the command gets SIGTERM.
class Supervisor {
 public:
  /// Opens `log` for writing: parent folders are made, a former log becomes `<log>.1`. `network`
  /// guards every command; what it refuses is noted in the log.
  /// Error: kEnvironment when it cannot be written.
  explicit Supervisor(const std::filesystem::path& log, NetworkGuard network = {});
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  /// Called with each whole line that the command prints.
  using OnLine = std::function<void(std::string_view)>;
  /// Called about four times a second.
  using OnTick = std::function<void()>;

  /// Runs `command` and waits for it. Error: kEnvironment when it cannot be started.
  Outcome run(const std::vector<std::string>& command, const OnLine& on_line,
              const OnTick& on_tick);

  /// Adds a line of our own to the log.
  void note(std::string_view line);

  /// How long the log is now, bytes.
  [[nodiscard]] std::uint64_t log_size() const { return log_size_; }

 private:
  pid_t start(const std::vector<std::string>& command, FileDescriptor& output);
  bool start_guard(pid_t child, const FileDescriptor& channel);
  bool forward_output(const FileDescriptor& output, const OnLine& on_line);

  std::filesystem::path log_path_;
  FileDescriptor log_;
  FileDescriptor signals_;
  NetworkGuard network_;
  std::uint64_t log_size_ = 0;
  std::string line_;
};

}  // namespace torchpkg
