// SPDX-License-Identifier: BSD-3-Clause
#include "slice/slice.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "commands/commands.h"

namespace torchpkg {

void add_slice(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "slice",
      "Keep the code for some of NVIDIA's GPUs in libraries and drop that for others. Each file\n"
      "keeps its length and is replaced by one with holes when that is complete. NVIDIA's own\n"
      "libraries, shared and static, are left as they are: their licences want unmodified files.");
  auto options = std::make_shared<SliceOptions>();
  command->add_option("paths", options->paths, "Files, and folders with files")->required();
  command
      ->add_option("--arch", options->archs,
                   "Compute capability of a GPU that is to run them, 9.0, or 9.0+PTX to keep PTX\n"
                   "for later ones as well; may be given more than once")
      ->required()
      ->allow_extra_args(false);
  command->add_flag("--in-place", options->in_place,
                    "Change the files themselves, which needs no space for copies: for an\n"
                    "installed tree. Killed meanwhile, it leaves a damaged file");
  command->add_option("--jobs", options->jobs, "Threads; 0: as many as processors")
      ->capture_default_str();
  command->callback([options] { std::fputs(slice(*options).c_str(), stdout); });
}

}  // namespace torchpkg
