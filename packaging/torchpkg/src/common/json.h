// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace torchpkg {

/// JSON of a file that anybody may have made. Discarded, as is_discarded() says, when it is not
/// JSON, or nested deeper than anything that is read here: whoever copies or prints a value goes
/// down into it, and 48,000 brackets would be too much for the stack. So it is when an object has a
/// member twice, of which others may take the other one, or a NUL, where nlohmann's parser ends.
template <class Json>
Json parse_json(std::string_view text) {
  constexpr int kDeepest = 100;
  using Event = typename Json::parse_event_t;
  bool good = text.find('\0') == std::string_view::npos;
  std::vector<std::set<std::string>> members;  // of the objects that are open
  const auto look = [&](int depth, Event event, Json& value) {
    good = good && depth <= kDeepest;
    if (event == Event::object_start) members.emplace_back();
    if (event == Event::object_end) members.pop_back();
    if (event == Event::key) {
      good = good && members.back().insert(value.template get<std::string>()).second;
    }
    return good;
  };
  Json json = Json::parse(text.begin(), text.end(), look, false);
  return good ? json : Json(Json::value_t::discarded);
}

}  // namespace torchpkg
