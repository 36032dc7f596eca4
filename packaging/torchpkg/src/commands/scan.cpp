// SPDX-License-Identifier: BSD-3-Clause
#include "scan/scan.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "commands/commands.h"

namespace torchpkg {

void add_scan(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "scan", "Print the facts in ELF files and static libraries as JSON, for scripts.");
  auto options = std::make_shared<ScanOptions>();
  command->add_option("paths", options->paths, "Files, and folders with files")->required();
  command->add_flag("--device-code", options->device_code,
                    "Also read the code for GPUs, which takes longer");
  command->add_option("--jobs", options->jobs, "Threads; 0: as many as processors")
      ->capture_default_str();
  command->callback([options] { std::fputs(scan(*options).c_str(), stdout); });
}

}  // namespace torchpkg
