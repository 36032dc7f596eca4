// SPDX-License-Identifier: BSD-3-Clause
#include "checks/check.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "commands/commands.h"

namespace torchpkg {

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("check",
                         "Check an artifact, or the folder that it is made from.\n"
                         "Exits with 1 if a check fails, with 3 if the input is not a package.");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("package", options->package, "A zip, a wheel, a conda package, or a folder")
      ->required();
  command->add_option(
      "--report", options->reports,
      "Also write the report to a file, its format by its suffix: .json, .xml (JUnit),\n"
      ".txt; may be given more than once");
  command->add_option("--forbid-path", options->forbid_paths,
                      "A path that must occur in no file; may be given more than once");
  command->add_option("--debug-package", options->debug_package,
                      "The package with the debug information of this one: a zip or its folder");
  command->add_option("--jobs", options->jobs, "Threads; 0: as many as processors")
      ->capture_default_str();
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace torchpkg
