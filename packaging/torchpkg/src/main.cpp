// SPDX-License-Identifier: BSD-3-Clause
// The command line: words become functions, errors become exit codes.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.h"
#include "bundle/bundle.h"
#include "checks/check.h"
#include "common/error.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "conda/pack_conda.h"
#include "index/index.h"
#include "inspect.h"
#include "run/run.h"
#include "wheel/pack_wheel.h"
#include "zip/pack.h"

namespace torchpkg {

namespace {

/// Each add_...() describes a sub-command; `exit_code` is what it ends with.
void add_run(CLI::App& app, const std::vector<std::string>& words, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "run",
      "Run a phase of a package: output into a log, progress here.\n"
      "Understands Ninja's progress. After a failure the first error of the log, its command and "
      "the log's path are\n"
      "shown; the end of the log when nothing in it looks like an error.\n"
      "The command's exit code is passed on; 130 and 143 after SIGINT and SIGTERM.");
  auto options = std::make_shared<RunOptions>();
  auto interval = std::make_shared<double>(14);
  command->add_option("--package", options->package, "Name of the package")->required();
  command->add_option("--phase", options->phase, "fetch, patch, configure, build or stage")
      ->required();
  command->add_option("--log", options->log, "Log file; a former one becomes FILE.1")->required();
  command->add_option("--tail", options->tail, "Lines of the log shown after a failure")
      ->capture_default_str();
  command
      ->add_option("--interval", *interval,
                   "Seconds between progress lines when the output is no terminal")
      ->capture_default_str();
  command->add_flag("--retry-alone", options->retry_alone,
                    "Try what was killed for lack of memory again, by itself\n"
                    "(the command must be ninja or cmake --build)");
  command->add_option("--step-costs", options->step_costs,
                      "What Ninja's steps cost, for the time left: lines '<seconds> <output>',\n"
                      "* for any characters; a step in no line costs what is usual for its kind");
  command->add_option("--no-network", options->no_network,
                      "Let the command download nothing: it gets an empty network namespace where\n"
                      "the machine allows one, and at this address (127.1.2.3:2001), to which its\n"
                      "http_proxy should lead, every request is refused and noted in the log");
  command->add_flag("!--host-namespace", options->network_namespace,
                    "With --no-network: the proxy alone, no namespace");
  command->footer("The command and its arguments follow after --.");
  options->command = words;
  command->callback([options, interval, &exit_code] {
    options->interval = std::chrono::milliseconds(static_cast<int>(*interval * 1000));
    exit_code = run(*options);
  });
}

void add_compression(CLI::App& command, zip::CompressionOptions& options) {
  command.add_option("--level", options.level, "1 (fast) to 12 (small)")->capture_default_str();
  command.add_option("--jobs", options.jobs, "Threads; 0: as many as processors")
      ->capture_default_str();
  command.add_flag("--quiet", options.quiet, "No progress and no summary");
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
                                          "Pack what is to lie in site-packages into a wheel. "
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
                      "Build tag, which tells two wheels of one version apart: a digit, then text");
  command->add_option("--platform", options->platform,
                      "Platform tag; one that the ELF files contradict is refused\n"
                      "(else manylinux_2_N when that is true, or linux)");
  add_compression(*command, *options);
  command->callback([options] {
    const std::filesystem::path file = pack_wheel(*options);
    if (!options->quiet) std::printf("%s\n", file.c_str());
  });
}

void add_pack_conda(CLI::App& pack) {
  CLI::App* command = pack.add_subcommand(
      "conda",
      "Pack what is to lie in a prefix into a conda package (format 2). info/paths.json and\n"
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
  command->add_flag("--quiet", options->quiet, "No progress and no summary");
  command->callback([options] {
    const std::filesystem::path file = conda::pack_conda(*options);
    if (!options->quiet) std::printf("%s\n", file.c_str());
  });
}

void add_pack(CLI::App& app) {
  CLI::App* pack = app.add_subcommand("pack", "Make an artifact from a folder.");
  pack->require_subcommand(1);
  add_pack_zip(*pack);
  add_pack_wheel(*pack);
  add_pack_conda(*pack);
}

void add_inspect(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "inspect", "Describe an ELF file, a ZIP file, or all ELF files below a folder.");
  auto path = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command->add_option("path", *path, "What to look at")->required();
  command->add_flag("--json", *json, "JSON instead of text");
  command->callback([path, json] { std::fputs(inspect(*path, *json).c_str(), stdout); });
}

void add_bundle(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "bundle",
      "Make a stage independent of the machine: copy the libraries that its ELF files need into\n"
      "lib/, and set every RPATH relative to $ORIGIN. A second run changes nothing.");
  auto options = std::make_shared<BundleOptions>();
  auto search = std::make_shared<std::string>();
  auto allow = std::make_shared<std::string>();
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
  command->add_option("--allow", *allow,
                      "File with names of libraries that stay outside, one a line, * allowed;\n"
                      "it takes the place of the built-in list (C library, libstdc++, driver)");
  command->add_flag("--rename", options->rename,
                    "Call copies name-<8 hex of sha256>.so.N (never an OpenMP runtime or a\n"
                    "library of CUDA)");
  command->add_flag("--rpath-only", options->rpath_only,
                    "Copy nothing, only set the RPATHs (packages without deps)");
  command->add_option(
      "--soname-version", options->soname_version,
      "lib/libx.so becomes libx.so.VERSION, in its file name, its SONAME and every\n"
      "NEEDED; a link of the former name stays, for the linker");
  command->add_option("--patchelf", options->patchelf, "The patchelf to use")
      ->capture_default_str();
  command->add_option("--report", options->report, "Where to write what was copied, as JSON");
  command->callback([options, search, allow, elsewhere] {
    for (const std::string& folder : split(*search, ';')) options->search.emplace_back(folder);
    for (const std::string& text : *elsewhere) {
      const std::size_t equal = text.find('=');
      if (equal == std::string::npos) {
        throw Error(ExitCode::kUsage, "--elsewhere " + text + " names no folder",
                    "write PATTERN=FOLDER");
      }
      options->elsewhere.push_back({text.substr(0, equal), text.substr(equal + 1)});
    }
    if (!allow->empty()) options->allowed = AllowList::from_file(*allow);
    for (const BundledLibrary& library : bundle(*options)) {
      std::printf("bundled %s from %s\n", library.file.c_str(), library.from.c_str());
    }
  });
}

void add_archive(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "archive",
      "Make a static library of the objects that a shared library is linked from: those on the\n"
      "line of its link, and those members of static libraries that GNU ld takes. What members of\n"
      "libraries under --exclude-libs define becomes hidden. Equal inputs give equal bytes.");
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
  command->add_option("--report", options->report, "Where to write what was taken, as JSON");
  command->add_option("--jobs", options->jobs, "Threads; 0: as many as processors")
      ->capture_default_str();
  command->callback([options] { archive(*options); });
}

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

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "check",
      "Look at a packed package, or the folder that it is made from, and say whether it is good.\n"
      "Ends with 1 when a check fails, with 3 when it is no package at all.");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("package", options->package, "PACKAGE.zip or a folder")->required();
  command->add_option("--format", options->format, "text, json or junit")
      ->check(CLI::IsMember({"text", "json", "junit"}))
      ->capture_default_str();
  command->add_option("--output", options->output,
                      "Write the report to this file instead of standard output");
  command->add_option("--report", options->reports,
                      "Write one more report, its format by its suffix: .json, .xml (JUnit),\n"
                      ".txt; may be given more than once");
  command->add_option("--forbid-path", options->forbid_paths,
                      "A path that must occur in no file; may be given more than once");
  command->add_option("--debug-package", options->debug_package,
                      "The package with the debug information of this one: a zip or its folder");
  command->add_option("--jobs", options->jobs, "Threads; 0: as many as processors")
      ->capture_default_str();
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

/// Cuts off what follows `--`, so that no parser changes the words of another program.
std::vector<std::string> take_command(int& argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--") continue;
    std::vector<std::string> words(argv + i + 1, argv + argc);
    argc = i;
    return words;
  }
  return {};
}

int run_command_line(int argc, char** argv) {
  int exit_code = 0;
  const std::vector<std::string> words = take_command(argc, argv);
  CLI::App app(
      "torchpkg: ELF files, archives, checks and progress for torch-superbuild.\n"
      "Exit codes: 0 good, 1 a check failed, 2 wrong use, 3 bad input, 4 the environment.",
      "torchpkg");
  app.set_version_flag("--version", "torchpkg " TORCHPKG_VERSION);
  app.require_subcommand(1);
  add_run(app, words, exit_code);
  add_pack(app);
  add_inspect(app);
  add_bundle(app);
  add_archive(app);
  add_check(app, exit_code);
  add_index(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "torchpkg: %s\nremedy: see torchpkg --help\n", error.what());
    return static_cast<int>(ExitCode::kUsage);
  }
  return exit_code;
}

}  // namespace

}  // namespace torchpkg

int main(int argc, char** argv) {
  using torchpkg::ExitCode;
  try {
    return torchpkg::run_command_line(argc, argv);
  } catch (const torchpkg::Error& error) {
    std::fprintf(stderr, "torchpkg: %s\n", error.what());
    if (!error.remedy().empty()) std::fprintf(stderr, "remedy: %s\n", error.remedy().c_str());
    return static_cast<int>(error.code());
  } catch (const torchpkg::Interrupted& interrupted) {
    std::fprintf(stderr, "torchpkg: interrupted\n");
    return 128 + interrupted.signal;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "torchpkg: there is not enough memory\nremedy: use fewer --jobs\n");
    return static_cast<int>(ExitCode::kEnvironment);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "torchpkg: %s\n", error.what());
    return static_cast<int>(ExitCode::kEnvironment);
  }
}
