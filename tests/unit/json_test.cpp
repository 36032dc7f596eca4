// SPDX-License-Identifier: BSD-3-Clause
#include "common/json.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support.h"

namespace torchpkg::test {
namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(Json, IsReadUpToADepth) {
  EXPECT_TRUE(parse_json<nlohmann::json>(nested(100)).is_array());
  EXPECT_TRUE(parse_json<nlohmann::json>(nested(102)).is_discarded());
  EXPECT_TRUE(parse_json<nlohmann::ordered_json>(nested(48000)).is_discarded());
  EXPECT_TRUE(parse_json<nlohmann::json>("{\"a\": ").is_discarded());
}

TEST(Json, SaysAThingOnce) {
  using namespace std::string_view_literals;
  EXPECT_TRUE(parse_json<nlohmann::json>(R"({"a": {"a": [{"b": 1}, {"b": 2}]}})").is_object());
  for (const std::string_view text :
       {R"({"a": 1, "a": 1})"sv, R"([{"b": {"a": 1, "c": {}, "a": 2}}])"sv, "{}\0"sv, "{}\0{"sv}) {
    EXPECT_TRUE(parse_json<nlohmann::json>(text).is_discarded()) << text;
    EXPECT_TRUE(parse_json<nlohmann::ordered_json>(text).is_discarded()) << text;
  }
}

TEST(Json, AManifestOfBracketsIsBadInput) {
  const TemporaryFolder folder;
  write_file(folder / "p/manifest.json", nested(48000));
  const std::string zip = (folder / "p.zip").string();
  ASSERT_EQ(torchpkg({"pack", "zip", "--root", (folder / "p").string(), "--output", zip}).exit_code,
            0);
  EXPECT_EQ(torchpkg({"check", zip}).exit_code, 3);
}

}  // namespace
}  // namespace torchpkg::test
