// SPDX-License-Identifier: BSD-3-Clause
#include "bundle/former_report.h"

#include "common/error.h"
#include "common/file.h"
#include "common/json.h"
#include "common/tree.h"

namespace torchpkg {

std::vector<BundledLibrary> read_former_report(const std::filesystem::path& report) {
  using Json = nlohmann::json;
  const Error bad(ExitCode::kBadInput, report.string() + " is not a report of bundle",
                  "give another --report; if this was one, make the stage anew without it");
  const Json json = parse_json<Json>(read_text(report));
  std::vector<BundledLibrary> libraries;
  try {
    for (const Json& item : json.at("bundled")) {
      libraries.push_back({item.at("name"), item.at("from"), item.at("sha256"), item.at("file")});
      const std::string& file = libraries.back().file;
      if (file.find('/') != std::string::npos || !name_problem(file).empty()) throw bad;
    }
  } catch (const Json::exception&) {
    throw bad;
  }
  return libraries;
}

}  // namespace torchpkg
