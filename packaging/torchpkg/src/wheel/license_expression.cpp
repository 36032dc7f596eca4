// SPDX-License-Identifier: BSD-3-Clause
// License-Expression: `MIT AND (Apache-2.0 WITH LLVM-exception OR LicenseRef-own)`.
#include <fmt/core.h>

#include <algorithm>

#include "common/text.h"
#include "wheel/metadata_values.h"
#include "wheel/scanner.h"

namespace torchpkg::wheel {

namespace {

constexpr std::size_t kDeepest = 100;

/// The next word or parenthesis; empty at the end.
std::string_view take_token(Scanner& text) {
  text.take_while(is_space);
  const std::string_view before = text.rest();
  if (text.take("(") || text.take(")")) return text.since(before);
  return text.take_while([](char c) { return !is_space(c) && c != '(' && c != ')'; });
}

bool is_operator(std::string_view token, std::string_view name) { return lower(token) == name; }

bool is_identifier(std::string_view token, bool may_have_plus) {
  constexpr std::string_view kOwn = "licenseref-";
  for (const std::string_view name : {"and", "or", "with"}) {
    if (is_operator(token, name)) return false;
  }
  const bool own = lower(token.substr(0, kOwn.size())) == kOwn;
  if (may_have_plus && !own && token.ends_with('+')) token.remove_suffix(1);
  return !token.empty() && !(own && token.size() == kOwn.size()) &&
         std::all_of(token.begin(), token.end(),
                     [](char c) { return is_alphanumeric(c) || c == '.' || c == '-'; });
}

std::string instead(std::string_view wanted, std::string_view token) {
  return token.empty() ? fmt::format("{} is missing at the end", wanted)
                       : fmt::format("there is {} instead of {}", in_quotes(token), wanted);
}

}  // namespace

std::string wrong_license_expression(std::string_view value) {
  Scanner text(value);
  std::size_t open = 0;
  std::string_view token;
  do {
    token = take_token(text);
    for (; token == "("; token = take_token(text)) {
      if (++open > kDeepest) return "its parentheses are nested too deep";
    }
    if (!is_identifier(token, true)) return instead("a licence", token);
    token = take_token(text);
    if (is_operator(token, "with")) {
      token = take_token(text);
      if (!is_identifier(token, false)) return instead("an exception", token);
      token = take_token(text);
    }
    for (; open > 0 && token == ")"; token = take_token(text)) --open;
  } while (is_operator(token, "and") || is_operator(token, "or"));
  if (!token.empty()) return instead(open > 0 ? "AND, OR or )" : "AND or OR", token);
  return open > 0 ? "a ) is missing at the end" : "";
}

}  // namespace torchpkg::wheel
