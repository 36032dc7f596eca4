// SPDX-License-Identifier: BSD-3-Clause
#include "zip/pack.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "commands/commands.h"
#include "common/error.h"
#include "conda/pack_conda.h"
#include "wheel/pack_wheel.h"

namespace torchpkg {

namespace {

void add_compression(CLI::App& command, zip::CompressionOptions& options) {
  command.add_option("--level", options.level, "1 (fast) to 12 (small)")->capture_default_str();
  command.add_option("--jobs", options.jobs, "Threads; 0: as many as processors")
      ->capture_default_str();
}

void add_pack_zip(CLI::App& pack) {
  CLI::App* command = pack.add_subcommand(
      "zip",
      "Pack a folder into a ZIP file, below the folder's own name.\n"
      "The bytes depend only on names, content, executable bits, the level and SOURCE_DATE_EPOCH.");
  auto options = std::make_shared<zip::PackOptions>();
  command->add_option("--root", options->root, "The folder; its name becomes the top folder")
      ->required();
  command->add_option("--output", options->output, "The archive, replaced when it is there")
      ->required();
  add_compression(*command, *options);
  command->callback([options] { zip::pack(*options); });
}

void add_pack_wheel(CLI::App& pack) {
  CLI::App* command = pack.add_subcommand("wheel",
                                          "Pack a folder for site-packages into a wheel. "
                                          "WHEEL and RECORD are written, the rest of\n"
                                          "*.dist-info is taken as it is. The platform tag is what "
                                          "the symbols in the ELF files allow.\n"
                                          "The bytes depend only on names, content, executable "
                                          "bits, the options and SOURCE_DATE_EPOCH.");
  auto options = std::make_shared<wheel::PackWheelOptions>();
  options->generator = "torchpkg " TORCHPKG_VERSION;
  command->add_option("--root", options->root, "The folder, with one *.dist-info")->required();
  command
      ->add_option("--output", options->output,
                   "The folder for the wheel, whose name follows from METADATA and the tags")
      ->required();
  command->add_option("--python", options->python, "Python tag, such as cp311")
      ->capture_default_str();
  command->add_option("--abi", options->abi, "ABI tag, such as cp311")->capture_default_str();
  command->add_option("--build", options->build,
                      "Build tag, to distinguish two wheels of one version: a digit, then text");
  add_compression(*command, *options);
  command->callback([options] { std::printf("%s\n", pack_wheel(*options).c_str()); });
}

void add_pack_conda(CLI::App& pack) {
  CLI::App* command = pack.add_subcommand(
      "conda",
      "Pack a folder for a prefix into a conda package (format 2). info/paths.json and\n"
      "info/files are written, the rest of info/ is taken as it is.\n"
      "The bytes depend only on names, content, executable bits, the options and\n"
      "SOURCE_DATE_EPOCH.");
  auto options = std::make_shared<conda::PackCondaOptions>();
  command->add_option("--root", options->root, "The folder, with info/index.json")->required();
  command
      ->add_option("--output", options->output,
                   "The channel's folder; the package goes into its folder for the platform")
      ->required();
  command->add_option("--placeholder", options->placeholder,
                      "The prefix that files have inside, replaced when the package is installed");
  command->add_option("--level", options->level, "1 (fast) to 22 (small)")->capture_default_str();
  command->add_option("--jobs", options->jobs, "Threads; 0: as many as processors")
      ->capture_default_str();
  command->callback([options] { std::printf("%s\n", conda::pack_conda(*options).c_str()); });
}

}  // namespace

void add_pack(CLI::App& app) {
  CLI::App* pack = app.add_subcommand(
      "pack",
      "Pack a folder into a ZIP file, below the folder's own name.\n"
      "The bytes depend only on names, content, executable bits, the options and\n"
      "SOURCE_DATE_EPOCH.");
  auto options = std::make_shared<zip::PackOptions>();
  pack->add_option("--root", options->root, "The folder; its name becomes the top folder");
  pack->add_option("--output", options->output, "The archive, replaced when it is there");
  pack->add_flag("--flat", options->flat,
                 "For wheels: no top folder, no entries for folders, no symlinks");
  pack->add_option("--last", options->last,
                   "What comes last, with all below it, relative to the root; may be given more\n"
                   "than once, in the order of the archive");
  add_compression(*pack, *options);
  pack->callback([options, pack] {
    if (!pack->get_subcommands().empty()) return;
    if (options->root.empty() || options->output.empty()) {
      throw Error(ExitCode::kUsage, "pack needs --root and --output", "see torchpkg pack --help");
    }
    zip::pack(*options);
  });
  pack->require_subcommand(0, 1);
  add_pack_zip(*pack);
  add_pack_wheel(*pack);
  add_pack_conda(*pack);
}

}  // namespace torchpkg
