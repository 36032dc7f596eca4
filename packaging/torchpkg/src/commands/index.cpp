// SPDX-License-Identifier: BSD-3-Clause
#include "index/index.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "commands/commands.h"

namespace torchpkg {

void add_index(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "index",
      "Make a folder of artifacts into a repository that any static web server can serve: an "
      "index\n"
      "for pip and uv in simple/ (HTML and JSON), METADATA beside each wheel, repodata.json of a\n"
      "conda channel, a list of all files with their hashes. Run it again when the folder has\n"
      "changed.");
  auto folder = std::make_shared<std::string>();
  auto jobs = std::make_shared<unsigned>(0);
  command->add_option("folder", *folder, "The folder, such as dist")->required();
  command->add_option("--jobs", *jobs, "Threads; 0: as many as processors")->capture_default_str();
  command->callback([folder, jobs] {
    const index::IndexResult result = index::index(*folder, *jobs);
    std::printf("%s: %zu zips, %zu wheels of %zu projects, %zu conda packages\n", folder->c_str(),
                result.archives, result.wheels, result.projects, result.conda_packages);
  });
}

}  // namespace torchpkg
