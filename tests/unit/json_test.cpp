// SPDX-License-Identifier: BSD-3-Clause
#include "common/json.h"

#include <gtest/gtest.h>

#include <string>

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

TEST(Json, AManifestOfBracketsIsBadInput) {
  const TemporaryFolder folder;
  write_file(folder / "p/manifest.json", nested(48000));
  const std::string zip = (folder / "p.zip").string();
  ASSERT_EQ(torchpkg({"pack", "zip", "--root", (folder / "p").string(), "--output", zip}).exit_code,
            0);
  EXPECT_EQ(torchpkg({"inspect", "--json", zip}).exit_code, 0);
  EXPECT_EQ(torchpkg({"check", zip}).exit_code, 3);
}

}  // namespace
}  // namespace torchpkg::test
