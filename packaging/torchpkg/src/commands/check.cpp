// SPDX-License-Identifier: BSD-3-Clause
#include "check/check.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "commands/commands.h"

namespace torchpkg {

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "check",
      "Check the folder of a package: what a libtorch zip has at its top, the site-packages of a\n"
      "wheel, the prefix of a conda package. Exits with 1 if a check fails.");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("folder", options->folder, "The folder")->required();
  command->add_option("--report", options->report, "Also write the rows to this file, as JSON");
  command->add_option("--forbid-path", options->forbid_paths,
                      "A path that must occur in no file; may be given more than once");
  command->add_option("--debug", options->debug,
                      "The folder with the debug information of this package");
  command->add_option("--jobs", options->jobs, "Threads; 0: as many as processors")
      ->capture_default_str();
  command->add_flag("--brief", options->brief, "Print the rows only if one fails");
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace torchpkg
