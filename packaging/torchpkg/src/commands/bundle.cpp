// SPDX-License-Identifier: BSD-3-Clause
#include "bundle/bundle.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "common/error.h"
#include "common/text.h"

namespace torchpkg {

void add_bundle(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "bundle",
      "Make a stage independent of the machine: copy the libraries that its ELF files need into\n"
      "lib/, and set every RPATH relative to $ORIGIN. A second run changes nothing.");
  auto options = std::make_shared<BundleOptions>();
  auto search = std::make_shared<std::string>();
  auto elsewhere = std::make_shared<std::vector<std::string>>();
  command->add_option("--root", options->root, "The stage")->required();
  command->add_option("--lib", options->lib, "The folder of its libraries, such as torch/lib")
      ->capture_default_str();
  command->add_option("--search", *search,
                      "Folders, separated by ;, looked into before the system's");
  command->add_option("--needed-by", options->needed_by,
                      "A shared library outside the stage whose needs count as if it lay inside,\n"
                      "because the stage's static libraries have its objects; may be given more\n"
                      "than once");
  command->add_option(
      "--also", options->also,
      "A library that is opened by name, brought in as if something needed it; may\n"
      "be given more than once");
  command->add_option(
      "--elsewhere", *elsewhere,
      "PATTERN=FOLDER: libraries of such names are not copied, because another\n"
      "package has them in FOLDER, relative to --root (libcublas.so.*=nvidia/cublas/lib);\n"
      "every RPATH leads there; may be given more than once");
  command->add_flag("--rename", options->rename,
                    "Call copies name-<8 hex of sha256>.so.N (never an OpenMP runtime or a\n"
                    "library of CUDA)");
  command->add_flag("--rpath-only", options->rpath_only,
                    "Copy nothing, only set the RPATHs (packages without deps)");
  command->add_option(
      "--soname-version", options->soname_version,
      "lib/libx.so becomes libx.so.VERSION, in its file name, its SONAME and every\n"
      "NEEDED; a link of the former name stays, for the linker");
  command->add_option("--report", options->report, "Where to write what was copied, as JSON");
  command->callback([options, search, elsewhere] {
    for (const std::string& folder : split(*search, ';')) options->search.emplace_back(folder);
    for (const std::string& text : *elsewhere) {
      const std::size_t equal = text.find('=');
      if (equal == std::string::npos) {
        throw Error(ExitCode::kUsage, "--elsewhere " + text + " names no folder",
                    "write PATTERN=FOLDER");
      }
      options->elsewhere.push_back({text.substr(0, equal), text.substr(equal + 1)});
    }
    for (const BundledLibrary& library : bundle(*options)) {
      std::printf("bundled %s from %s\n", library.file.c_str(), library.from.c_str());
    }
  });
}

}  // namespace torchpkg
