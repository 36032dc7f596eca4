// SPDX-License-Identifier: BSD-3-Clause
// Description-Content-Type.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "common/text.h"
#include "wheel/metadata_values.h"
#include "wheel/scanner.h"

namespace torchpkg::wheel {

namespace {

constexpr std::array<std::string_view, 3> kTypes = {"text/plain", "text/x-rst", "text/markdown"};

/// What may stand in a parameter without quotes.
/// https://www.rfc-editor.org/rfc/rfc2045#section-5.1
bool is_token(char c) {
  return c > ' ' && c < '\x7f' &&
         std::string_view("()<>@,;:\\\"/[]?=").find(c) == std::string::npos;
}

/// `name=value`, the value in quotes or not.
bool take_parameter(Scanner& text, std::string& name, std::string& value) {
  name = lower(text.take_while(is_token));
  text.take_while(is_blank);
  if (!text.take("=")) return false;
  text.take_while(is_blank);
  if (text.take("\"")) {
    value = text.take_while([](char c) { return c != '"' && c != '\\' && c != '\n'; });
    if (!text.take("\"")) return false;
  } else {
    value = text.take_while(is_token);
  }
  text.take_while(is_blank);
  return !name.empty() && !value.empty() && (text.at_end() || text.take(";"));
}

}  // namespace

std::string wrong_content_type(std::string_view value) {
  Scanner rest(value);
  const std::string_view type = rest.take_while([](char c) { return is_token(c) || c == '/'; });
  if (std::find(kTypes.begin(), kTypes.end(), lower(type)) == kTypes.end()) {
    return "the type is none of text/plain, text/x-rst, text/markdown";
  }
  rest.take_while(is_blank);
  if (!rest.at_end() && !rest.take(";")) {
    return fmt::format("after the type there is {}, not ;", in_quotes(rest.rest()));
  }
  std::map<std::string, std::string> parameters;
  for (rest.take_while(is_blank); !rest.at_end(); rest.take_while(is_blank)) {
    const std::string_view begin = rest.rest();
    std::string name;
    std::string content;
    if (!take_parameter(rest, name, content)) {
      return fmt::format("{} is no parameter", in_quotes(trimmed(begin)));
    }
    if (!parameters.emplace(name, content).second) return fmt::format("{} is there twice", name);
  }
  const auto charset = parameters.find("charset");
  if (charset != parameters.end() && lower(charset->second) != "utf-8") {
    return fmt::format("the charset is {}, not UTF-8", in_quotes(charset->second));
  }
  const auto variant = parameters.find("variant");
  if (variant != parameters.end() && lower(type) == "text/markdown" && variant->second != "GFM" &&
      variant->second != "CommonMark") {
    return fmt::format("the variant is {}, not GFM or CommonMark", in_quotes(variant->second));
  }
  return {};
}

}  // namespace torchpkg::wheel
