// SPDX-License-Identifier: BSD-3-Clause
// The command line: words become functions, errors become exit codes.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "common/error.h"
#include "common/interrupt.h"
#include "inspect.h"
#include "run/run.h"
#include "zip/pack.h"

namespace torchpkg {

namespace {

/// Each add_...() describes a sub-command; `exit_code` is what it ends with.
void add_run(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "run",
      "Run a phase of a package: output into a log, progress here.\n"
      "Understands Ninja's progress. After a failure the end of the log and its path are shown.\n"
      "The command's exit code is passed on; 130 and 143 after SIGINT and SIGTERM.");
  auto options = std::make_shared<RunOptions>();
  auto interval = std::make_shared<double>(15);
  command->add_option("--package", options->package, "Name of the package")->required();
  command->add_option("--phase", options->phase, "fetch, patch, configure, build or stage")
      ->required();
  command->add_option("--log", options->log, "Log file; a former one becomes FILE.1")->required();
  command->add_option("--tail", options->tail, "Lines of the log shown after a failure")
      ->capture_default_str();
  command
      ->add_option("--interval", *interval,
                   "Seconds between progress lines when the output is no terminal")
      ->capture_default_str();
  command->add_flag("--retry-alone", options->retry_alone,
                    "Try what was killed for lack of memory again, by itself\n"
                    "(the command must be ninja or cmake --build)");
  command->add_option("command", options->command, "The command, after --")->required();
  command->positionals_at_end();
  command->callback([options, interval, &exit_code] {
    options->interval = std::chrono::milliseconds(static_cast<int>(*interval * 1000));
    exit_code = run(*options);
  });
}

void add_pack(CLI::App& app) {
  CLI::App* pack = app.add_subcommand("pack", "Make an artifact from a folder.");
  pack->require_subcommand(1);
  CLI::App* command = pack->add_subcommand(
      "zip",
      "Pack a folder into a ZIP file, below the folder's own name.\n"
      "The bytes depend only on names, content, executable bits, the level and SOURCE_DATE_EPOCH.");
  auto options = std::make_shared<zip::PackOptions>();
  command->add_option("--root", options->root, "The folder; its name becomes the top folder")
      ->required();
  command->add_option("--output", options->output, "The archive, replaced when it is there")
      ->required();
  command->add_option("--level", options->level, "1 (fast) to 12 (small)")->capture_default_str();
  command->add_option("--jobs", options->jobs, "Threads; 0: as many as processors")
      ->capture_default_str();
  command->add_flag("--quiet", options->quiet, "No progress and no summary");
  command->callback([options] { zip::pack(*options); });
}

void add_inspect(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "inspect", "Describe an ELF file, a ZIP file, or all ELF files below a folder.");
  auto path = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command->add_option("path", *path, "What to look at")->required();
  command->add_flag("--json", *json, "JSON instead of text");
  command->callback([path, json] { std::fputs(inspect(*path, *json).c_str(), stdout); });
}

int run_command_line(int argc, char** argv) {
  int exit_code = 0;
  CLI::App app(
      "torchpkg: ELF files, archives, checks and progress for torch-superbuild.\n"
      "Exit codes: 0 good, 1 a check failed, 2 wrong use, 3 bad input, 4 the environment.",
      "torchpkg");
  app.set_version_flag("--version", "torchpkg " TORCHPKG_VERSION);
  app.require_subcommand(1);
  add_run(app, exit_code);
  add_pack(app);
  add_inspect(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "torchpkg: %s\nremedy: see torchpkg --help\n", error.what());
    return static_cast<int>(ExitCode::kUsage);
  }
  return exit_code;
}

}  // namespace

}  // namespace torchpkg

int main(int argc, char** argv) {
  using torchpkg::ExitCode;
  try {
    return torchpkg::run_command_line(argc, argv);
  } catch (const torchpkg::Error& error) {
    std::fprintf(stderr, "torchpkg: %s\n", error.what());
    if (!error.remedy().empty()) std::fprintf(stderr, "remedy: %s\n", error.remedy().c_str());
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
