// SPDX-License-Identifier: BSD-3-Clause
#include "wheel/metadata_problems.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "common/text.h"
#include "wheel/metadata_fields.h"
#include "wheel/metadata_header.h"
#include "wheel/metadata_values.h"

namespace torchpkg::wheel {

namespace {

using Problems = std::vector<std::string>;

/// The values of each known field, by the name that the specification gives it.
using Values = std::map<std::string_view, std::vector<std::string_view>>;

const std::string_view* only_value(const Values& values, std::string_view field) {
  const auto found = values.find(field);
  return found == values.end() ? nullptr : &found->second.front();
}

void check_encoding(std::string_view metadata, Problems& wrong) {
  std::size_t line = 1;
  for (std::size_t at = 0; at < metadata.size();) {
    const std::size_t length = utf8_length(metadata, at);
    if (length == 0) {
      wrong.push_back(fmt::format("line {} is not UTF-8", line));
      return;
    }
    if (metadata[at] == '\n') ++line;
    at += length;
  }
}

/// Groups the fields by name, and says which are unknown, each once.
Values values_of(const MetadataHeader& header, Problems& wrong) {
  Values values;
  std::set<std::string> unknown;
  for (const HeaderField& field : header.fields) {
    const MetadataField* known = find_metadata_field(field.name);
    if (known != nullptr) {
      values[known->name].push_back(field.value);
    } else if (unknown.insert(lower(field.name)).second) {
      wrong.push_back(fmt::format("{} is no field of METADATA", in_quotes(field.name)));
    }
  }
  return values;
}

/// How often, since when, and each value by itself.
void check_fields(const Values& values, Problems& wrong) {
  const std::string_view* version = only_value(values, "Metadata-Version");
  const bool known_version = version != nullptr && wrong_metadata_version(*version).empty();
  for (const auto& [name, all] : values) {
    const MetadataField& field = *find_metadata_field(name);
    if (!field.several && all.size() > 1) {
      wrong.push_back(fmt::format("{} is there {} times and may be there once", name, all.size()));
    }
    if (known_version && compare_versions(*version, field.since) < 0) {
      wrong.push_back(fmt::format("{} {} needs Metadata-Version {}, and this is {}", name,
                                  in_quotes(all.front()), field.since, *version));
    }
    if (field.wrong == nullptr) continue;
    for (const std::string_view value : all) {
      const std::string problem = field.wrong(value);
      if (problem.empty()) continue;
      wrong.push_back(fmt::format("{} {}: {}", name, in_quotes(value), problem));
    }
  }
}

/// Files of licences that are named and not there. Older versions of the format have no such field.
void check_licence_files(const Values& values, const std::set<std::string>& licences,
                         Problems& wrong) {
  const auto named = values.find("License-File");
  if (named == values.end()) return;
  for (const std::string_view path : named->second) {
    if (wrong_license_file(path).empty() && licences.count(std::string(path)) == 0) {
      wrong.push_back(fmt::format("License-File {}: it is not in licenses/", in_quotes(path)));
    }
  }
}

/// Labels that two URLs have.
void check_labels(const Values& values, Problems& wrong) {
  const auto urls = values.find("Project-URL");
  if (urls == values.end()) return;
  std::set<std::string_view> labels;
  for (const std::string_view url : urls->second) {
    if (!labels.insert(trimmed(url.substr(0, url.find(',')))).second) {
      wrong.push_back(fmt::format("Project-URL {}: another one has that label", in_quotes(url)));
    }
  }
}

/// What fields say together.
void check_together(const Values& values, bool has_body, Problems& wrong) {
  const std::string_view* licence = only_value(values, "License");
  const std::string_view* expression = only_value(values, "License-Expression");
  if (licence != nullptr && expression != nullptr && !licence->empty()) {
    wrong.push_back(fmt::format("License {} stands beside License-Expression {}, which replaces it",
                                in_quotes(*licence), in_quotes(*expression)));
  }
  if (has_body && values.count("Description") != 0) {
    wrong.emplace_back("Description is a field, and below the header there is another");
  }
  const auto imports = values.find("Import-Name");
  if (imports != values.end() && imports->second.size() > 1 &&
      std::count(imports->second.begin(), imports->second.end(), "") != 0) {
    wrong.emplace_back("Import-Name '': an empty one must be the only one");
  }
}

}  // namespace

std::vector<std::string> metadata_problems(std::string_view metadata,
                                           const std::set<std::string>& licences) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  Problems wrong;
  check_encoding(metadata, wrong);
  if (metadata.starts_with(kByteOrderMark)) {
    wrong.emplace_back("there is a byte order mark before the first line");
    metadata.remove_prefix(kByteOrderMark.size());
  }
  const MetadataHeader header = parse_metadata_header(metadata);
  if (!header.damage.empty()) wrong.push_back(header.damage);
  const Values values = values_of(header, wrong);
  for (const std::string_view required : {"Metadata-Version", "Name", "Version"}) {
    if (values.count(required) == 0) wrong.push_back(fmt::format("{} is missing", required));
  }
  check_fields(values, wrong);
  check_licence_files(values, licences, wrong);
  check_labels(values, wrong);
  check_together(values, !header.body.empty(), wrong);
  return wrong;
}

}  // namespace torchpkg::wheel
