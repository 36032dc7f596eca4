// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/inspect.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "commands/commands.h"

namespace torchpkg {

void add_inspect(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "inspect", "Describe an ELF file, a static library, or all ELF files below a folder.");
  auto path = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command->add_option("path", *path, "What to look at")->required();
  command->add_flag("--json", *json, "JSON instead of text");
  command->callback([path, json] { std::fputs(inspect(*path, *json).c_str(), stdout); });
}

}  // namespace torchpkg
