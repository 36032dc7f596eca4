// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>

#include "commands/commands.h"

namespace torchpkg {

void add_run(CLI::App& app, const std::vector<std::string>& words, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "run",
      "Run a phase of a package: output into a log, progress here.\n"
      "Understands Ninja's progress. After a failure the first error of the log, its command and "
      "the log's path are\n"
      "shown; the end of the log when nothing in it looks like an error.\n"
      "The command's exit code is passed on; 130 and 143 after SIGINT and SIGTERM.");
  auto options = std::make_shared<RunOptions>();
  auto interval = std::make_shared<double>(14);
  command->add_option("--package", options->package, "Name of the package")->required();
  command->add_option("--phase", options->phase, "fetch, patch, configure, build or stage")
      ->required();
  command->add_option("--log", options->log, "Log file; a former one becomes FILE.1")->required();
  command->add_option("--tail", options->tail, "Lines of the log shown after a failure")
      ->capture_default_str();
  command
      ->add_option("--interval", *interval,
                   "Seconds between progress lines when the output is not a terminal")
      ->capture_default_str();
  command->add_flag("--retry-alone", options->retry_alone,
                    "Try what was killed for lack of memory again, by itself\n"
                    "(the command must be ninja or cmake --build)");
  command->add_option("--step-costs", options->step_costs,
                      "What Ninja's steps cost, for the time left: lines '<seconds> <output>',\n"
                      "* for any characters; a step in no line costs what is usual for its kind");
  command->add_option("--no-network", options->no_network,
                      "Let the command download nothing: it gets an empty network namespace where\n"
                      "the machine allows one, and at this address (127.1.2.3:2001), to which its\n"
                      "http_proxy should lead, every request is refused and noted in the log");
  command->add_flag("!--host-namespace", options->network_namespace,
                    "With --no-network: the proxy alone, no namespace");
  command->footer("The command and its arguments follow after --.");
  options->command = words;
  command->callback([options, interval, &exit_code] {
    options->interval = std::chrono::milliseconds(static_cast<int>(*interval * 1000));
    exit_code = run(*options);
  });
}

}  // namespace torchpkg
