// SPDX-License-Identifier: BSD-3-Clause
#include "archive/archive.h"

#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "archive/member_selection.h"
#include "common/interrupt.h"
#include "common/text.h"

namespace torchpkg {

namespace {

using Json = nlohmann::ordered_json;

std::string report(const Selection& selection, const ArSummary& summary) {
  Json archives = Json::array();
  for (const ArchiveUse& use : selection.archives) {
    archives.push_back(
        {{"name", use.name}, {"members", use.members}, {"of", use.of}, {"hidden", use.hidden}});
  }
  const Json json = {{"objects", selection.objects},
                     {"archives", archives},
                     {"bytes", summary.bytes},
                     {"symbols", summary.symbols}};
  return json.dump(2) + "\n";
}

}  // namespace

void archive(const ArchiveOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  const InterruptGuard interrupts;
  const LinkCommand command = parse_link_command(read_text(options.link_command),
                                                 options.link_command.string(), options.directory);
  const Selection selection = select_members(command, options.beside, options.jobs);
  const ArSummary summary = write_ar(options.output, selection.entries);
  if (!options.report.empty()) write_text_atomically(options.report, report(selection, summary));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  std::size_t used = 0;
  for (const ArchiveUse& use : selection.archives) used += use.members != 0 ? 1 : 0;
  const std::string line = fmt::format(
      "archived {}: {} objects, {} members of {} static libraries, {} in {:.1f} s\n",
      options.output.filename().string(), selection.objects,
      selection.entries.size() - selection.objects, used, human_size(summary.bytes), took.count());
  std::fputs(line.c_str(), stdout);
}

}  // namespace torchpkg
