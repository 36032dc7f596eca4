// SPDX-License-Identifier: BSD-3-Clause
#include "wheel/version.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>

#include "common/text.h"
#include "wheel/scanner.h"

namespace torchpkg::wheel {

namespace {

using Words = std::span<const std::string_view>;

// A word stands before those that it begins with.
constexpr std::array<std::string_view, 8> kPreWords = {"alpha", "beta", "preview", "pre",
                                                       "a",     "b",    "c",       "rc"};
constexpr std::array<std::string_view, 3> kPostWords = {"post", "rev", "r"};
constexpr std::array<std::string_view, 1> kDevWords = {"dev"};
constexpr std::array<std::string_view, 8> kOperators = {
    "===", "==", "!=", "~=", "<=", ">=", "<", ">"};

bool is_separator(char c) { return c == '.' || c == '-' || c == '_'; }

void skip_separator(Scanner& text) {
  if (text.next_is(is_separator)) text.skip(1);
}

/// `1!2.3`, with a v before it or not. Returns how many numbers 2.3 has; 0: it is none.
std::size_t take_release(Scanner& text) {
  if (!text.take("v")) text.take("V");
  if (text.take_while(is_digit).empty()) return 0;
  if (text.take("!") && text.take_while(is_digit).empty()) return 0;
  std::size_t count = 1;
  while (text.rest().size() > 1 && text.rest()[0] == '.' && is_digit(text.rest()[1])) {
    text.skip(1);
    text.take_while(is_digit);
    ++count;
  }
  return count;
}

/// `.dev1`: one of the words, separators and the number as one likes.
bool take_part(Scanner& text, Words words) {
  Scanner rest = text;
  skip_separator(rest);
  const auto found = std::find_if(words.begin(), words.end(), [&rest](std::string_view word) {
    return lower(rest.rest().substr(0, word.size())) == word;
  });
  if (found == words.end()) return false;
  rest.skip(found->size());
  skip_separator(rest);
  rest.take_while(is_digit);
  text = rest;
  return true;
}

/// `a1.post2.dev3`, each if it is there.
void take_suffixes(Scanner& text) {
  take_part(text, kPreWords);
  if (text.rest().size() > 1 && text.rest()[0] == '-' && is_digit(text.rest()[1])) {
    text.skip(1);
    text.take_while(is_digit);
  } else {
    take_part(text, kPostWords);
  }
  take_part(text, kDevWords);
}

/// `+cpu.cxx11`, if it is there.
void take_local(Scanner& text) {
  Scanner rest = text;
  if (!rest.take("+")) return;
  while (!rest.take_while(is_alphanumeric).empty()) {
    text = rest;
    if (!rest.next_is(is_separator)) return;
    rest.skip(1);
  }
}

}  // namespace

bool is_version(std::string_view text) {
  Scanner rest(trimmed(text));
  if (take_release(rest) == 0) return false;
  take_suffixes(rest);
  take_local(rest);
  return rest.at_end();
}

std::size_t specifier_length(std::string_view text) {
  Scanner rest(text);
  const auto found = std::find_if(kOperators.begin(), kOperators.end(),
                                  [&](std::string_view name) { return rest.take(name); });
  if (found == kOperators.end()) return 0;
  rest.take_while(is_space);
  if (*found == "===") {  // compares texts, whether or not they are versions
    rest.take_while([](char c) { return !is_space(c) && c != ';' && c != ')'; });
    return rest.since(text).size();
  }
  const std::size_t numbers = take_release(rest);
  if (numbers == 0 || (*found == "~=" && numbers == 1)) return 0;
  const bool equality = *found == "==" || *found == "!=";
  if (equality && rest.take(".*")) return rest.since(text).size();
  take_suffixes(rest);
  if (equality) take_local(rest);
  return rest.since(text).size();
}

std::string wrong_specifier(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && specifier_length(text) == text.size()) return {};
  const auto found = std::find_if(kOperators.begin(), kOperators.end(),
                                  [text](std::string_view name) { return text.starts_with(name); });
  if (found == kOperators.end()) {
    return fmt::format("{} does not begin with a comparison such as >=", in_quotes(text));
  }
  const std::string_view version = trimmed(text.substr(found->size()));
  const bool equality = *found == "==" || *found == "!=";
  if (version.ends_with(".*") && is_version(version.substr(0, version.size() - 2))) {
    return equality
               ? fmt::format("in {} only a number may precede .*", in_quotes(text))
               : fmt::format("in {} there is .*, which only == and != may have", in_quotes(text));
  }
  if (!is_version(version)) return fmt::format("{} is no version", in_quotes(version));
  if (version.find('+') != std::string_view::npos) {
    return fmt::format("{} has a local version, which only == and != may have", in_quotes(text));
  }
  return fmt::format("in {} there is one number, and ~= needs two", in_quotes(text));
}

std::string wrong_specifiers(std::string_view text) {
  for (const std::string& one : split(text, ',')) {
    if (trimmed(one).empty()) continue;
    std::string wrong = wrong_specifier(one);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace torchpkg::wheel
