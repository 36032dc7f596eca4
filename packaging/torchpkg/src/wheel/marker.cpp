// SPDX-License-Identifier: BSD-3-Clause
#include "wheel/marker.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "common/text.h"
#include "wheel/scanner.h"

namespace torchpkg::wheel {

namespace {

constexpr std::size_t kDeepest = 100;

// Those with a dot, and python_implementation, are older names, which are still read.
constexpr std::array<std::string_view, 17> kVariables = {"python_version",
                                                         "python_full_version",
                                                         "os_name",
                                                         "sys_platform",
                                                         "platform_release",
                                                         "platform_system",
                                                         "platform_version",
                                                         "platform_machine",
                                                         "platform_python_implementation",
                                                         "implementation_name",
                                                         "implementation_version",
                                                         "extra",
                                                         "os.name",
                                                         "sys.platform",
                                                         "platform.version",
                                                         "platform.machine",
                                                         "platform.python_implementation"};
constexpr std::string_view kOldVariable = "python_implementation";
constexpr std::array<std::string_view, 8> kComparisons = {
    "===", "==", "~=", "!=", "<=", ">=", "<", ">"};

std::string expected(std::string_view what, const Scanner& text) {
  return text.at_end() ? fmt::format("{} is missing at the end", what)
                       : fmt::format("{} is missing before {}", what, in_quotes(text.rest()));
}

std::string take_text(Scanner& text) {
  const char quote = text.rest().front();
  text.skip(1);
  const std::string_view content = text.take_while([quote](char c) { return c != quote; });
  if (text.at_end()) return fmt::format("the text {} has no end", in_quotes(content));
  text.skip(1);
  // The specification has no escapes; a parser that makes Python read the text has Python's.
  const bool plain = std::none_of(content.begin(), content.end(), [](char c) {
    return c == '\\' || (static_cast<unsigned char>(c) < ' ' && c != '\t');
  });
  return plain ? "" : fmt::format("{} has a backslash or a control character", in_quotes(content));
}

/// A variable, or a text in quotes.
std::string take_operand(Scanner& text) {
  text.take_while(is_blank);
  if (text.next_is([](char c) { return c == '"' || c == '\''; })) return take_text(text);
  for (const std::string_view name : kVariables) {
    if (text.take_word(name)) return {};
  }
  if (text.take_word(kOldVariable)) return {};
  Scanner word = text;
  const std::string_view name = word.take_while([](char c) { return is_word(c) || c == '.'; });
  if (!name.empty()) return fmt::format("{} is no variable of conditions", in_quotes(name));
  return expected("a variable or a text in quotes", text);
}

bool take_comparison(Scanner& text) {
  text.take_while(is_blank);
  if (text.take_word("in")) return true;
  if (text.take_word("not")) return !text.take_while(is_blank).empty() && text.take_word("in");
  return std::any_of(kComparisons.begin(), kComparisons.end(),
                     [&](std::string_view name) { return text.take(name); });
}

/// `os_name == "posix"`.
std::string take_condition(Scanner& text) {
  std::string wrong = take_operand(text);
  if (!wrong.empty()) return wrong;
  if (!take_comparison(text)) return expected("a comparison such as ==", text);
  return take_operand(text);
}

}  // namespace

std::string wrong_marker(std::string_view text) {
  Scanner rest(text);
  std::size_t open = 0;
  do {
    rest.take_while(is_blank);
    while (rest.take("(")) {
      if (++open > kDeepest) return "its parentheses are nested too deep";
      rest.take_while(is_blank);
    }
    std::string wrong = take_condition(rest);
    if (!wrong.empty()) return wrong;
    rest.take_while(is_blank);
    while (open > 0 && rest.take(")")) {
      --open;
      rest.take_while(is_blank);
    }
  } while (rest.take_word("and") || rest.take_word("or"));
  if (!rest.at_end()) return expected(open > 0 ? "and, or, or )" : "and or or", rest);
  return open > 0 ? "a ) is missing at the end" : "";
}

}  // namespace torchpkg::wheel
