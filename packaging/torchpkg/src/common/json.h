// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/error.h"

namespace torchpkg {

/// Reads JSON without keeping it and ends at what parse_json() refuses. A callback of Json::parse()
/// could do so too, but with one nlohmann's parser looks at a whole array after each of its
/// objects.
template <class Json>
class JsonGuard : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(typename Json::number_integer_t) override { return true; }
  bool number_unsigned(typename Json::number_unsigned_t) override { return true; }
  bool number_float(typename Json::number_float_t, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(typename Json::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return start(); }
  bool end_object() override { return end(); }
  bool start_array(std::size_t) override { return start(); }
  bool end_array() override { return end(); }
  bool key(std::string& name) override { return members_.back().insert(name).second; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  static constexpr std::size_t kDeepest = 100;

  bool start() {
    members_.emplace_back();
    return members_.size() <= kDeepest;
  }
  bool end() {
    members_.pop_back();
    return true;
  }

  std::vector<std::set<std::string>> members_;  // of the objects and arrays that are open
};

/// JSON of a file that anybody may have made. Discarded, as is_discarded() says, when it is not
/// JSON, or nested deeper than anything that is read here: whoever copies or prints a value goes
/// down into it, and 48,000 brackets would be too much for the stack. So it is when an object has a
/// member twice, of which others may take the other one, or a NUL, where nlohmann's parser ends.
template <class Json>
Json parse_json(std::string_view text) {
  JsonGuard<Json> guard;
  if (text.find('\0') != std::string_view::npos || !Json::sax_parse(text, &guard)) {
    return Json(Json::value_t::discarded);
  }
  return Json::parse(text, nullptr, false);
}

/// What `read` makes of a file of JSON. It may use whatever nlohmann::json throws for, which names
/// the place (JSON_DIAGNOSTICS), and throw std::invalid_argument for what else is wrong.
/// Error: kBadInput for both; `where` names the file in it.
template <class Read>
auto read_json(std::string_view text, const std::string& where, const std::string& remedy,
               Read read) {
  std::string what = "it is not valid JSON";
  try {
    const auto json = parse_json<nlohmann::json>(text);
    if (json.is_object()) return read(json);
    if (!json.is_discarded()) what = "it is not an object";
  } catch (const nlohmann::json::exception& error) {
    // [json.exception.out_of_range.403] (/packages/0) key 'license' not found
    const std::string_view message = error.what();
    what = message.substr(message.find(' ') + 1);
  } catch (const std::invalid_argument& error) {
    what = error.what();
  }
  throw Error(ExitCode::kBadInput, where + ": " + what, remedy);
}

/// A member that is one of these words. Error: std::invalid_argument.
inline std::string one_of(const nlohmann::json& json, const char* member,
                          std::initializer_list<std::string_view> words) {
  auto value = json.at(member).get<std::string>();
  if (std::find(words.begin(), words.end(), value) != words.end()) return value;
  throw std::invalid_argument(fmt::format("the member {} is \"{}\", not one of: {}", member, value,
                                          fmt::join(words, ", ")));
}

}  // namespace torchpkg
