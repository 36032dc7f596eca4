// SPDX-License-Identifier: BSD-3-Clause
#include "archive/archive.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "commands/commands.h"

namespace torchpkg {

void add_archive(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "archive",
      "Make a static library of the objects that a shared library is linked from: those on the\n"
      "line of its link, and those members of static libraries that GNU ld takes when the link is\n"
      "run once more. What they define becomes hidden: a shared library with it inside does not\n"
      "export it. Equal inputs give equal bytes.");
  auto options = std::make_shared<ArchiveOptions>();
  command
      ->add_option("--link-command", options->link_command,
                   "File with the link, as ninja -t commands -s LIBRARY prints it")
      ->required();
  command->add_option("--directory", options->directory, "The folder in which the link runs")
      ->required();
  command->add_option("--output", options->output, "The static library, replaced when it is there")
      ->required();
  command->add_option("--beside", options->beside,
                      "A static library that will be linked beside it: what it defines is not\n"
                      "taken again; may be given more than once");
  command->add_option("--jobs", options->jobs, "Threads; 0: as many as processors")
      ->capture_default_str();
  command->callback([options] { archive(*options); });
}

}  // namespace torchpkg
