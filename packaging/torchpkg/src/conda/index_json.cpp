// SPDX-License-Identifier: BSD-3-Clause
#include "conda/index_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "common/error.h"
#include "common/json.h"
#include "common/text.h"

namespace torchpkg::conda {

namespace {

using Json = nlohmann::ordered_json;

/// What file names of packages are made of. Names are in lower case; a '-' parts the three words.
/// `more`: what letters and digits may have between them.
bool fits(std::string_view text, bool capitals, std::string_view more) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](unsigned char c) {
    return (capitals ? std::isalpha(c) : std::islower(c)) != 0 || std::isdigit(c) != 0 ||
           more.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

std::string text_of(const Json& json, const char* member, const std::string& where) {
  const auto found = json.find(member);
  if (found != json.end() && found->is_string() && !found->get<std::string>().empty()) {
    return found->get<std::string>();
  }
  throw Error(ExitCode::kBadInput, fmt::format("{} has no {}", where, member), "add it");
}

void check_lists(const Json& json, const std::string& where) {
  for (const char* member : {"depends", "constrains"}) {
    const auto found = json.find(member);
    if (found == json.end() && std::string_view(member) == "constrains") continue;
    const bool good = found != json.end() && found->is_array() &&
                      std::all_of(found->begin(), found->end(),
                                  [](const Json& item) { return item.is_string(); });
    if (!good) {
      throw Error(ExitCode::kBadInput, fmt::format("{}: {} is not a list of texts", where, member),
                  "write it as a list, empty when there is nothing");
    }
  }
}

}  // namespace

IndexJson parse_index_json(const std::string& text, const std::string& where) {
  IndexJson index;
  index.json = parse_json<Json>(text);
  if (!index.json.is_object()) {
    throw Error(ExitCode::kBadInput, where + " is not a JSON object", "write it again");
  }
  index.name = text_of(index.json, "name", where);
  index.version = text_of(index.json, "version", where);
  index.build = text_of(index.json, "build", where);
  index.subdir = text_of(index.json, "subdir", where);
  if (!fits(index.name, false, "._-") || !fits(index.version, true, "._+!") ||
      !fits(index.build, true, "._+!") || !fits(index.subdir, false, "-")) {
    throw Error(ExitCode::kBadInput,
                fmt::format("{}: '{}' in {} is not a package name", where, printable(index.stem()),
                            printable(index.subdir)),
                "names have lower-case letters, digits, '.', '_' and '-'; versions and builds no "
                "'-'; a subdir is like linux-64");
  }
  const auto number = index.json.find("build_number");
  if (number == index.json.end() || !number->is_number_unsigned()) {
    throw Error(ExitCode::kBadInput, where + " has no build_number", "add it, a number");
  }
  if (index.json.contains("noarch")) {
    throw Error(ExitCode::kBadInput,
                where + " has the member noarch: clients would put files elsewhere",
                "leave it out");
  }
  check_lists(index.json, where);
  return index;
}

}  // namespace torchpkg::conda
