// SPDX-License-Identifier: BSD-3-Clause
#include "conda/match_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "common/error.h"
#include "common/text.h"

namespace torchpkg::conda {

namespace {

/// A part of a version: ">=" and "3.11".
struct Constraint {
  std::string_view relation;  ///< empty: just this version
  std::string_view version;
};

/// Also the empty ones, which text.h's split() leaves out.
std::vector<std::string_view> all_parts(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

bool is_made_of(std::string_view text, std::string_view others, bool lower_case) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](unsigned char c) {
    const bool letter = lower_case ? std::islower(c) != 0 : std::isalpha(c) != 0;
    return letter || std::isdigit(c) != 0 || others.find(static_cast<char>(c)) != others.npos;
  });
}

Constraint read_constraint(std::string_view text) {
  // The longer ones first.
  constexpr std::array<std::string_view, 8> kRelations = {
      "==", "!=", ">=", "<=", "~=", "=", ">", "<"};
  for (const std::string_view relation : kRelations) {
    if (text.starts_with(relation)) return {relation, text.substr(relation.size())};
  }
  return {"", text};
}

/// The lower bound of a constraint, empty when it has none.
std::string bound_of(const Constraint& constraint) {
  const std::string_view relation = constraint.relation;
  if (relation == "!=" || relation.starts_with('<')) return {};
  // "3.11.*", "3.11*", "*"
  std::string version(constraint.version.substr(0, constraint.version.find('*')));
  if (version.ends_with('.')) version.pop_back();
  return version;
}

}  // namespace

std::string MatchSpec::text() const {
  return name + (version.empty() ? "" : " " + version) + (build.empty() ? "" : " " + build);
}

bool MatchSpec::is_exact() const {
  const Constraint constraint = read_constraint(version);
  return !version.empty() && (constraint.relation.empty() || constraint.relation == "==") &&
         constraint.version.find_first_of("*,|") == std::string_view::npos && !build.empty() &&
         build.find('*') == std::string::npos;
}

std::string MatchSpec::oldest() const {
  std::string oldest;
  bool first = true;
  for (const std::string_view alternative : all_parts(version, '|')) {
    std::string bound;
    for (const std::string_view part : all_parts(alternative, ',')) {
      const std::string one = bound_of(read_constraint(part));
      if (compare_versions(one, bound) > 0) bound = one;
    }
    if (first || compare_versions(bound, oldest) < 0) oldest = bound;
    first = false;
  }
  return oldest;
}

MatchSpec parse_match_spec(const std::string& text) {
  const auto bad = [&text](const std::string& what) {
    return Error(ExitCode::kBadInput, fmt::format("'{}' is not a match spec: {}", text, what),
                 "write it as <name>, <name> <version> or <name> <version> <build>");
  };
  const std::vector<std::string> words = split(text, ' ');
  if (words.empty()) throw bad("it names no package");
  if (words.size() > 3) throw bad("it has more words than name, version and build");
  if (!is_made_of(words[0], "._-", true)) {
    throw bad(fmt::format("{} is not a package name", words[0]));
  }
  MatchSpec spec{words[0], words.size() > 1 ? words[1] : "", words.size() > 2 ? words[2] : ""};
  if (words.size() > 1) {
    for (const std::string_view alternative : all_parts(spec.version, '|')) {
      for (const std::string_view part : all_parts(alternative, ',')) {
        const Constraint constraint = read_constraint(part);
        if (constraint.version.empty()) {
          throw bad(fmt::format("in {}, '{}' has no version", spec.version, part));
        }
        if (!is_made_of(constraint.version, "._+!*", false)) {
          throw bad(fmt::format("{} is not a version", constraint.version));
        }
      }
    }
  }
  if (words.size() > 2 && !is_made_of(spec.build, "._+!*", false)) {
    throw bad(fmt::format("{} is not a build", spec.build));
  }
  return spec;
}

}  // namespace torchpkg::conda
