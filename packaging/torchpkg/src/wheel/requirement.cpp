// SPDX-License-Identifier: BSD-3-Clause
#include "wheel/requirement.h"

#include <fmt/core.h>

#include <algorithm>

#include "common/text.h"
#include "wheel/marker.h"
#include "wheel/scanner.h"
#include "wheel/version.h"

namespace torchpkg::wheel {

namespace {

bool is_name_character(char c) { return is_alphanumeric(c) || c == '.' || c == '-' || c == '_'; }

std::string wrong_name(std::string_view name, std::string_view what, const Scanner& text) {
  if (is_project_name(name)) return {};
  if (!name.empty()) return fmt::format("{} is no {}", in_quotes(name), what);
  return text.at_end() ? fmt::format("the {} is missing", what)
                       : fmt::format("there is no {} before {}", what, in_quotes(text.rest()));
}

/// `[one,two]`, if it is there.
std::string take_extras(Scanner& text) {
  if (!text.take("[")) return {};
  text.take_while(is_blank);
  if (text.take("]")) return {};
  do {
    text.take_while(is_blank);
    const std::string_view name = text.take_while(is_name_character);
    std::string wrong = wrong_name(name, "name of an extra", text);
    if (!wrong.empty()) return wrong;
    text.take_while(is_blank);
  } while (text.take(","));
  return text.take("]") ? "" : "the extras have no end: ] is missing";
}

/// `>=1,<2`, in parentheses or not, if it is there.
std::string take_specifiers(Scanner& text) {
  const bool enclosed = text.take("(");
  text.take_while(is_blank);
  const std::string_view all = text.rest();
  Scanner one = text;  // the last one, with what follows
  bool more = true;
  while (more) {
    one = text;
    const std::size_t length = specifier_length(text.rest());
    if (length == 0) break;
    text.skip(length);
    text.take_while(is_blank);
    more = text.take(",");
    text.take_while(is_blank);
  }
  if (enclosed ? !text.take(")")
               : !text.at_end() && !text.next_is([](char c) { return c == ';'; })) {
    const std::string_view bad =
        one.take_while([](char c) { return c != ',' && c != ';' && c != ')'; });
    std::string wrong = wrong_specifier(bad);
    if (!wrong.empty() && !trimmed(bad).empty()) return wrong;
    return enclosed ? "the specifiers have no end: ) is missing"
                    : fmt::format("{} cannot stand there", in_quotes(text.rest()));
  }
  // After === nearly everything is read, also what tools take apart at the commas later.
  return wrong_specifiers(text.since(all).substr(0, text.since(all).size() - (enclosed ? 1 : 0)));
}

}  // namespace

bool is_project_name(std::string_view text) {
  return !text.empty() && is_alphanumeric(text.front()) && is_alphanumeric(text.back()) &&
         std::all_of(text.begin(), text.end(), is_name_character);
}

std::string wrong_requirement(std::string_view text) {
  Scanner rest(text);
  rest.take_while(is_blank);
  const std::string_view name = rest.take_while(is_name_character);
  std::string wrong = wrong_name(name, "name of a project", rest);
  if (!wrong.empty()) return wrong;
  rest.take_while(is_blank);
  wrong = take_extras(rest);
  if (!wrong.empty()) return wrong;
  rest.take_while(is_blank);
  if (rest.take("@")) {
    rest.take_while(is_blank);
    if (rest.take_while([](char c) { return !is_blank(c); }).empty()) return "the URL is missing";
  } else {
    wrong = take_specifiers(rest);
    if (!wrong.empty()) return wrong;
  }
  rest.take_while(is_blank);
  if (rest.at_end()) return {};
  if (!rest.take(";")) return fmt::format("{} cannot stand there", in_quotes(rest.rest()));
  return wrong_marker(rest.rest());
}

}  // namespace torchpkg::wheel
