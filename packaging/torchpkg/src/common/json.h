// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace torchpkg {

/// JSON of a file that anybody may have made. Discarded, as is_discarded() says, when it is not
/// JSON, or nested deeper than anything that is read here: whoever copies or prints a value goes
/// down into it, and 48,000 brackets would be too much for the stack.
template <class Json>
Json parse_json(std::string_view text) {
  constexpr int kDeepest = 100;
  bool too_deep = false;
  const auto look = [&too_deep](int depth, typename Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kDeepest;
    return !too_deep;
  };
  Json json = Json::parse(text.begin(), text.end(), look, false);
  return too_deep ? Json(Json::value_t::discarded) : json;
}

}  // namespace torchpkg
