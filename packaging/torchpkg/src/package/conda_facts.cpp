// SPDX-License-Identifier: BSD-3-Clause
#include "package/conda_facts.h"

#include <fmt/core.h>

#include <algorithm>

#include "common/error.h"
#include "conda/index_json.h"

namespace torchpkg {

using conda::MatchSpec;

namespace {

/// The match specs of a list of index.json.
std::vector<MatchSpec> specs_of(const conda::IndexJson& index, const char* list,
                                std::vector<std::string>& wrong) {
  std::vector<MatchSpec> specs;
  if (!index.json.contains(list)) return specs;
  for (const auto& text : index.json.at(list)) {
    try {
      specs.push_back(conda::parse_match_spec(text.get<std::string>()));
    } catch (const Error& error) {
      wrong.push_back(fmt::format("{} of index.json: {}", list, error.what()));
    }
  }
  return specs;
}

}  // namespace

const MatchSpec* CondaIndex::spec_of(const std::string& package) const {
  const std::vector<const MatchSpec*> specs = specs_of({package});
  return specs.empty() ? nullptr : specs[0];
}

std::vector<const MatchSpec*> CondaIndex::specs_of(const std::vector<std::string>& names) const {
  std::vector<const MatchSpec*> specs;
  for (const MatchSpec& spec : depends) {
    if (std::find(names.begin(), names.end(), spec.name) != names.end()) specs.push_back(&spec);
  }
  return specs;
}

bool CondaIndex::needs_libtorch() const {
  const MatchSpec* libtorch = spec_of("libtorch");
  return libtorch != nullptr && libtorch->is_exact();
}

CondaFacts read_conda_facts(const std::string& stem, const std::string* index) {
  CondaFacts facts{stem, std::nullopt, {}};
  if (index == nullptr) {
    facts.index_problems.emplace_back("info/index.json is missing");
    return facts;
  }
  try {
    const conda::IndexJson json = conda::parse_index_json(*index, "index.json");
    CondaIndex read{json.stem(), json.name, json.subdir,
                    specs_of(json, "depends", facts.index_problems)};
    specs_of(json, "constrains", facts.index_problems);
    if (facts.index_problems.empty()) facts.index = std::move(read);
  } catch (const Error& error) {
    facts.index_problems.push_back(fmt::format("{}; {}", error.what(), error.remedy()));
  }
  return facts;
}

}  // namespace torchpkg
