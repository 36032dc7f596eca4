// SPDX-License-Identifier: BSD-3-Clause
#include "archive/archive.h"

#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <system_error>

#include "archive/linked_objects.h"
#include "common/error.h"
#include "common/interrupt.h"
#include "common/partial_file.h"
#include "common/process.h"
#include "common/text.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

struct TemporaryFile {
  TemporaryFile(const fs::path& output, const char* suffix)
      : path(fs::absolute(output).string() + suffix) {}
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  fs::path path;
};

/// Runs the link once more, with GNU ld whatever linker it has been, into `linked`. Only GNU ld
/// says what it takes in the order in which it takes it. Returns what it says.
std::string link_again(const ArchiveOptions& options, std::string command, const fs::path& linked) {
  constexpr std::string_view kOutput = " -o ";
  // The former output becomes a folder to look for libraries in, which does no harm. All that is
  // taken must be found among the output's symbols again.
  constexpr std::string_view kInstead =
      " -fuse-ld=bfd -Wl,--trace,--trace,--strip-debug,--no-gc-sections "
      "-Wl,--unresolved-symbols=ignore-all -o \"$2\" -L ";
  const std::size_t at = command.find(kOutput);
  if (at == std::string::npos || command.find(kOutput, at + 1) != std::string::npos ||
      command.find(" -shared ") == std::string::npos) {
    throw Error(ExitCode::kBadInput,
                options.link_command.string() + " is not the link of one shared library",
                "write what ninja -t commands -s <the shared library> prints into it");
  }
  command.replace(at, kOutput.size(), kInstead);
  const TemporaryFile script(options.output, ".link");
  write_text_atomically(script.path, "cd \"$1\"\n" + command);
  const CommandResult result = run_command({"sh", "-e", script.path, options.directory, linked});
  InterruptGuard::check();
  if (result.exit_code == 0) return result.output;
  for (const std::string& line : split(result.output, '\n')) {
    const bool message = line.find(": ") != std::string::npos;  // not a name of the trace
    if (message) std::fprintf(stderr, "%s\n", line.c_str());
  }
  throw Error(ExitCode::kBadInput,
              fmt::format("the link in {} fails with GNU ld", options.link_command.string()),
              "see the messages above; GNU ld has to be installed and to know all of its options");
}

}  // namespace

void archive(const ArchiveOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  const InterruptGuard interrupts;
  const std::string command = read_text(options.link_command);
  const TemporaryFile linked(options.output, ".linked");
  const std::string trace = link_again(options, command, linked.path);
  const LinkedObjects objects = linked_objects({trace, command, options.directory, linked.path},
                                               options.beside, options.jobs);
  const ArSummary summary = write_ar(options.output, objects.entries);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  const std::string line =
      fmt::format("archived {}: {}, {} of static libraries, {} in {:.1f} s\n",
                  options.output.filename().string(), counted(objects.objects, "object"),
                  counted(objects.entries.size() - objects.objects, "member"),
                  human_size(summary.bytes), took.count());
  std::fputs(line.c_str(), stdout);
}

}  // namespace torchpkg
