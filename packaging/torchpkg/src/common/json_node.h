// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/error.h"
#include "common/json.h"

namespace torchpkg {

/// What messages say about a file of JSON.
struct JsonFile {
  std::string name;
  std::string remedy;
};

/// A JSON value that knows its place, so that every message can name it.
class JsonNode {
 public:
  JsonNode(const nlohmann::json& json, std::string place, const JsonFile& file)
      : json_(json), place_(std::move(place)), file_(file) {}

  [[nodiscard]] JsonNode at(const std::string& key) const {
    expect(json_.is_object(), "an object");
    const auto found = json_.find(key);
    const std::string place = place_.empty() ? key : place_ + "." + key;
    if (found == json_.end()) fail(fmt::format("the member {} is missing", place));
    return {*found, place, file_};
  }

  [[nodiscard]] bool has(const std::string& key) const {
    expect(json_.is_object(), "an object");
    const auto found = json_.find(key);
    return found != json_.end() && !found->is_null();
  }

  [[nodiscard]] std::string text() const {
    expect(json_.is_string(), "a string");
    return json_.get<std::string>();
  }

  [[nodiscard]] std::string text_or_empty(const std::string& key) const {
    return has(key) ? at(key).text() : std::string();
  }

  [[nodiscard]] bool boolean() const {
    expect(json_.is_boolean(), "true or false");
    return json_.get<bool>();
  }

  [[nodiscard]] std::int64_t integer() const {
    expect(json_.is_number_integer(), "an integer");
    return json_.get<std::int64_t>();
  }

  template <typename Make>
  [[nodiscard]] auto list(Make make) const {
    expect(json_.is_array(), "an array");
    std::vector<decltype(make(*this))> items;
    for (std::size_t i = 0; i < json_.size(); ++i) {
      items.push_back(make(JsonNode(json_[i], fmt::format("{}[{}]", place_, i), file_)));
    }
    return items;
  }

  template <typename Visit>
  void members(Visit visit) const {
    expect(json_.is_object(), "an object");
    for (const auto& item : json_.items()) visit(item.key(), at(item.key()));
  }

  /// One of the words allowed here.
  [[nodiscard]] std::string one_of(std::initializer_list<std::string_view> words) const {
    std::string value = text();
    std::string all;
    for (const std::string_view word : words) {
      if (value == word) return value;
      all += fmt::format("{}{}", all.empty() ? "" : ", ", word);
    }
    fail(fmt::format("the member {} is \"{}\", not one of: {}", place_, value, all));
  }

  [[nodiscard]] const std::string& place() const { return place_; }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ExitCode::kBadInput, fmt::format("{}: {}", file_.name, what), file_.remedy);
  }

 private:
  void expect(bool right, std::string_view type) const {
    if (right) return;
    fail(fmt::format("{} must be {}, but is {}", place_.empty() ? "the file" : place_, type,
                     json_.type_name()));
  }

  const nlohmann::json& json_;
  std::string place_;
  const JsonFile& file_;
};

}  // namespace torchpkg
