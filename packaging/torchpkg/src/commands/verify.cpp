// SPDX-License-Identifier: BSD-3-Clause
#include "verify/verify.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "commands/commands.h"

namespace torchpkg {

void add_verify(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "verify",
      "Compare an artifact with its provenance statement, and with another build of it.\n"
      "Signatures are not looked at. Exits with 1 if something differs.");
  auto options = std::make_shared<VerifyOptions>();
  command->add_option("artifact", options->artifact, "A zip, a wheel or a conda package")
      ->required();
  command->add_option("--statement", options->statement,
                      "The statement; default: <artifact>.intoto.json");
  command->add_option("--against", options->against,
                      "Another build of it: which files in it differ");
  command->add_option("--jobs", options->jobs, "Threads; 0: as many as processors")
      ->capture_default_str();
  command->callback([options, &exit_code] { exit_code = verify(*options); });
}

}  // namespace torchpkg
