// SPDX-License-Identifier: BSD-3-Clause
#include "run/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "common/error.h"
#include "common/process.h"
#include "run/downloads.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

constexpr int kTickMilliseconds = 250;
constexpr std::size_t kLongestLine = std::size_t{64} * 1024;

sigset_t handled_signals() {
  sigset_t set{};
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&set, signal);
  return set;
}

/// In the child: what is left to do before the command takes over. Only async-signal-safe calls.
[[noreturn]] void become(const std::vector<char*>& arguments, int output, int error_pipe,
                         pid_t parent, const NetworkGuard& network, int channel) {
  ::setpgid(0, 0);
  // Before prctl(), whose wish a process loses when it enters a user namespace.
  if (network.active() && !network.enter(channel)) ::_exit(127);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(127);
  // A shell starts background jobs with SIGINT ignored; the command must not inherit that.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
  sigset_t none{};
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::execvp(arguments[0], arguments.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t put = ::write(error_pipe, &error, sizeof(error));
  ::_exit(127);
}

}  // namespace

Supervisor::Supervisor(const fs::path& log, NetworkGuard network)
    : log_path_(log), network_(std::move(network)) {
  make_folders(log.parent_path());
  std::error_code error;
  if (fs::exists(log, error)) fs::rename(log, log.string() + ".1", error);
  if (error) throw system_error(log.string() + " cannot be put aside", error.value());
  log_ = FileDescriptor(::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!log_.valid()) throw system_error("the log " + log.string() + " cannot be written", errno);
  ::setenv("NINJA_STATUS", "[%f/%t] ", 1);
  const sigset_t set = handled_signals();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  signals_ = FileDescriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals_.valid()) throw system_error("signals cannot be watched", errno);
}

Supervisor::~Supervisor() {
  const sigset_t set = handled_signals();
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

void Supervisor::note(std::string_view line) {
  // The command may be in the middle of a line.
  const std::string text = (line_.empty() ? "" : "\n") + std::string(line) + "\n";
  write_fully(log_, log_path_, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  log_size_ += text.size();
}

pid_t Supervisor::start(const std::vector<std::string>& command, FileDescriptor& output) {
  std::array<int, 2> data{};
  std::array<int, 2> failure{};
  std::array<int, 2> guard{};
  if (::pipe2(data.data(), O_CLOEXEC) != 0 || ::pipe2(failure.data(), O_CLOEXEC) != 0 ||
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, guard.data()) != 0) {
    throw system_error("no pipe can be made", errno);
  }
  output = FileDescriptor(data[0]);
  FileDescriptor data_in(data[1]);
  const FileDescriptor failure_out(failure[0]);
  FileDescriptor failure_in(failure[1]);
  const FileDescriptor guard_out(guard[0]);
  FileDescriptor guard_in(guard[1]);
  ::fcntl(output.get(), F_SETFL, O_NONBLOCK);

  const std::vector<char*> arguments = argument_array(command);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw system_error("no process can be started", errno);
  if (child == 0) {
    become(arguments, data_in.get(), failure_in.get(), parent, network_, guard_in.get());
  }
  ::setpgid(child, child);  // by both sides, so that it is done whoever runs first
  data_in.close();
  failure_in.close();
  guard_in.close();
  if (network_.active() && !start_guard(child, guard_out)) return start(command, output);
  int error = 0;
  if (::read(failure_out.get(), &error, sizeof(error)) == sizeof(error)) {
    ::waitpid(child, nullptr, 0);
    throw system_error(command[0] + " cannot be started", error);
  }
  return child;
}

/// False when the child has given up, since it may have no namespace.
bool Supervisor::start_guard(pid_t child, const FileDescriptor& channel) {
  const int error = network_.receive(channel);
  if (error == 0) {
    note(network_.own_namespace()
             ? "torchpkg: no network: a namespace of its own, with nothing in it"
             : "torchpkg: no network: a proxy that refuses downloads, no namespace");
    return true;
  }
  ::waitpid(child, nullptr, 0);
  if (!network_.own_namespace()) {
    // Whatever listens there instead might be a proxy that lets downloads through.
    throw Error(ExitCode::kEnvironment,
                "the proxy that refuses downloads cannot listen at " + network_.address() + ": " +
                    std::strerror(error),
                "end the program that listens at that port, and run the same command again");
  }
  note("torchpkg: no network namespace for this user: " + std::string(std::strerror(error)));
  network_.give_up_namespace();
  return false;
}

bool Supervisor::forward_output(const FileDescriptor& output, const OnLine& on_line) {
  std::array<std::uint8_t, 16384> buffer{};
  for (;;) {
    const ssize_t got = ::read(output.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
    if (got == 0) return false;
    const Bytes data(buffer.data(), static_cast<std::size_t>(got));
    write_fully(log_, log_path_, data);
    log_size_ += data.size();
    for (const std::uint8_t byte : data) {
      if (byte == '\n') {
        on_line(line_);
        line_.clear();
      } else if (line_.size() < kLongestLine) {
        line_ += static_cast<char>(byte);
      }
    }
  }
}

Outcome Supervisor::run(const std::vector<std::string>& command, const OnLine& on_line,
                        const OnTick& on_tick) {
  FileDescriptor output;
  line_.clear();
  const pid_t child = start(command, output);
  Outcome outcome;
  int status = 0;
  bool open = true;
  // The command's end counts, not the end of its output: a compiler cache's server that it has
  // started may keep the pipe open for long.
  try {
    while (::waitpid(child, &status, WNOHANG) == 0) {
      std::array<pollfd, 3> events = {{{signals_.get(), POLLIN, 0},
                                       {open ? output.get() : -1, POLLIN, 0},
                                       {network_.socket(), POLLIN, 0}}};
      ::poll(events.data(), events.size(), kTickMilliseconds);
      signalfd_siginfo signal{};
      while (::read(signals_.get(), &signal, sizeof(signal)) == sizeof(signal)) {
        const auto number = static_cast<int>(signal.ssi_signo);
        if (number == SIGCHLD) continue;
        outcome.interrupted_by = number;
        ::kill(-child, number);
      }
      open = open && forward_output(output, on_line);
      if ((events[2].revents & POLLIN) != 0) {
        const std::string wanted = network_.refuse();
        if (!wanted.empty()) note("torchpkg: " + std::string(kRefusedDownload) + wanted);
      }
      on_tick();
    }
  } catch (...) {
    // The log cannot be written any more: do not leave the command running unseen.
    ::kill(-child, SIGTERM);
    ::waitpid(child, &status, 0);
    throw;
  }
  forward_output(output, on_line);
  if (!line_.empty()) on_line(line_);
  outcome.killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (outcome.interrupted_by != 0) {
    outcome.exit_code = 128 + outcome.interrupted_by;
    // Whatever the command left in its group must not go on either.
    ::kill(-child, SIGTERM);
  }
  return outcome;
}

}  // namespace torchpkg
