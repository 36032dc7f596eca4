// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/describe_device_code.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "common/text.h"

namespace torchpkg {

namespace {

using Json = nlohmann::ordered_json;

template <typename Targets>
std::vector<std::string> all_names(const Targets& targets) {
  std::vector<std::string> all;
  all.reserve(targets.size());
  for (const CodeTarget& target : targets) all.push_back(target.name());
  return all;
}

}  // namespace

Json device_code_as_json(const DeviceCode& code) {
  Json entries = Json::object();
  for (const auto& [target, count] : code.entries) entries[target.name()] = count;
  Json groups = Json::array();
  for (const auto& [targets, group] : code.groups) {
    groups.push_back(
        {{"targets", all_names(targets)}, {"count", group.count}, {"first", group.first}});
  }
  return {{"fat_binaries", code.fat_binaries},
          {"bytes", code.bytes},
          {"entries", std::move(entries)},
          {"groups", std::move(groups)},
          {"embedded",
           {{"fat_binaries", code.embedded_fat_binaries}, {"targets", all_names(code.embedded)}}},
          {"problem", code.problem}};
}

std::string device_code_as_line(const DeviceCode& code) {
  std::vector<std::string> targets;
  for (const auto& [target, count] : code.entries) targets.push_back(target.name());
  std::string line = fmt::format("{} in {} fat binaries ({})", join(targets, ", "),
                                 code.fat_binaries, human_size(code.bytes));
  if (code.fat_binaries == 0) line = "none in the compiler's sections";
  if (code.embedded_fat_binaries > 0) {
    line += fmt::format("; {} in {} more elsewhere", join(all_names(code.embedded), ", "),
                        code.embedded_fat_binaries);
  }
  if (!code.problem.empty()) line += "; " + code.problem;
  return line;
}

}  // namespace torchpkg
