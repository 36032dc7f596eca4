// SPDX-License-Identifier: BSD-3-Clause
#include "zip/pack.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "commands/commands.h"

namespace torchpkg {

void add_pack(CLI::App& app) {
  CLI::App* pack = app.add_subcommand(
      "pack",
      "Pack a folder into a ZIP file, below the folder's own name.\n"
      "The bytes depend only on names, content, executable bits, the options and\n"
      "SOURCE_DATE_EPOCH.");
  auto options = std::make_shared<zip::PackOptions>();
  pack->add_option("--root", options->root, "The folder; its name becomes the top folder")
      ->required();
  pack->add_option("--output", options->output, "The archive, replaced when it is there")
      ->required();
  pack->add_flag("--flat", options->flat,
                 "For wheels: no top folder, no entries for folders, no symlinks");
  pack->add_option("--last", options->last,
                   "What comes last, with all below it, relative to the root; may be given more\n"
                   "than once, in the order of the archive");
  pack->add_option("--level", options->level, "1 (fast) to 12 (small)")->capture_default_str();
  pack->add_option("--jobs", options->jobs, "Threads; 0: as many as processors")
      ->capture_default_str();
  pack->callback([options] { zip::pack(*options); });
}

}  // namespace torchpkg
