// SPDX-License-Identifier: BSD-3-Clause
// The command line: words become functions, errors become exit codes.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>

#include "commands/commands.h"
#include "common/error.h"
#include "common/interrupt.h"
#include "common/text.h"

namespace torchpkg {

namespace {

/// What a command prints is its result, so it must not be lost in silence.
void finish_output() {
  const bool flushed = std::fflush(stdout) == 0;
  const int error = flushed ? EIO : errno;  // of an earlier write it is not known
  if (!flushed || std::ferror(stdout) != 0 || !std::cout.flush()) {
    throw system_error("standard output cannot be written", error);
  }
}

/// What an error says. Names in it are somebody else's; what a tool has printed has several lines.
void say(const Error& error) {
  const auto lines = [](const std::string& text) {
    std::vector<std::string> all = split(text, '\n');
    for (std::string& line : all) line = printable(line);
    return join(all, "\n");
  };
  std::fprintf(stderr, "torchpkg: %s\n", lines(error.what()).c_str());
  if (error.remedy().empty()) return;
  std::fprintf(stderr, "remedy: %s\n", lines(error.remedy()).c_str());
}

int run_command_line(int argc, char** argv) {
  int exit_code = 0;
  CLI::App app(
      "torchpkg: ELF files, archives and checks for torch-superbuild.\n"
      "Exit codes: 0 good, 1 a check failed, 2 wrong use, 3 bad input, 4 the environment.",
      "torchpkg");
  app.set_version_flag("--version", "torchpkg " TORCHPKG_VERSION);
  app.require_subcommand(1);
  add_pack(app);
  add_scan(app);
  add_archive(app);
  add_slice(app);
  add_check(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    app.exit(success);  // prints
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "torchpkg: %s\nremedy: see torchpkg --help\n", error.what());
    return static_cast<int>(ExitCode::kUsage);
  }
  finish_output();
  return exit_code;
}

}  // namespace

}  // namespace torchpkg

int main(int argc, char** argv) {
  using torchpkg::ExitCode;
  try {
    return torchpkg::run_command_line(argc, argv);
  } catch (const torchpkg::Error& error) {
    torchpkg::say(error);
    return static_cast<int>(error.code());
  } catch (const torchpkg::Interrupted& interrupted) {
    std::fprintf(stderr, "torchpkg: interrupted\n");
    return 128 + interrupted.signal;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "torchpkg: there is not enough memory\nremedy: use fewer --jobs\n");
    return static_cast<int>(ExitCode::kEnvironment);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "torchpkg: %s\n", error.what());
    return static_cast<int>(ExitCode::kEnvironment);
  }
}
