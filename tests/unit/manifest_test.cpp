// SPDX-License-Identifier: BSD-3-Clause
#include "package/manifest.h"

#include <gtest/gtest.h>

#include "sample_package.h"
#include "support.h"

namespace torchpkg::test {
namespace {

using Json = nlohmann::json;

torchpkg::Manifest parse(const Json& json) { return parse_manifest(json.dump(), "m.json"); }

/// The message about a manifest, without the file's name.
std::string complaint(const Json& json) {
  const std::string what = error_of([&] { parse(json); }).what();
  EXPECT_TRUE(begins_with(what, "m.json: "));
  return what.substr(what.find(' ') + 1);
}

TEST(Manifest, IsRead) {
  const torchpkg::Manifest manifest = parse(sample_manifest());
  EXPECT_EQ(manifest.version, "2.6.0+cpu");
  EXPECT_EQ(manifest.base_version(), "2.6.0");
  EXPECT_TRUE(manifest.with_deps());
  EXPECT_FALSE(manifest.is_static());
  EXPECT_TRUE(manifest.features.at("MKLDNN").enabled);
  EXPECT_EQ(manifest.features.at("MKL").reason, "no source");
  EXPECT_EQ(manifest.packages.at(1).sources.at(0).sha256, "abcd");
  EXPECT_EQ(manifest.packages.at(1).sources.at(0).tree_sha256, "");
}

TEST(Manifest, EveryMemberIsMissedByItsName) {
  const Json good = sample_manifest();
  for (const auto& item : good.items()) {
    Json json = good;
    json.erase(item.key());
    EXPECT_EQ(error_of([&] { parse(json); }).code(), ExitCode::kBadInput);
    EXPECT_EQ(complaint(json), "key '" + item.key() + "' not found");
    json[item.key()] = item.value().is_number() ? Json("text") : Json(3.5);
    EXPECT_EQ(error_of([&] { parse(json); }).code(), ExitCode::kBadInput) << item.key();
  }
}

TEST(Manifest, NestedMembersAreNamedWithTheirPlace) {
  Json json = sample_manifest();
  json["packages"][1]["sources"][0].erase("provider");
  EXPECT_EQ(complaint(json), "(/packages/1/sources/0) key 'provider' not found");
  json = sample_manifest();
  json["features"]["MKLDNN"]["enabled"] = "yes";
  EXPECT_EQ(complaint(json), "(/features/MKLDNN/enabled) type must be boolean, but is string");
  json = sample_manifest();
  json["linkage"] = "both";
  EXPECT_EQ(complaint(json), "the member linkage is \"both\", not one of: shared, static");
}

TEST(Manifest, WhatTheHostMustHave) {
  Json json = sample_manifest();
  EXPECT_TRUE(parse(json).host_libraries.empty());
  json["host_libraries"] =
      Json::array({{{"name", "libgomp.so.1"}, {"symbol_versions", Json::array({"GOMP_4.0"})}}});
  EXPECT_EQ(parse(json).host_libraries.at(0).name, "libgomp.so.1");
  EXPECT_EQ(parse(json).host_libraries.at(0).symbol_versions.at(0), "GOMP_4.0");
  json["host_libraries"][0].erase("symbol_versions");
  EXPECT_EQ(complaint(json), "(/host_libraries/0) key 'symbol_versions' not found");
}

TEST(Manifest, Cuda) {
  Json json = sample_manifest();
  EXPECT_FALSE(parse(json).cuda.has_value());
  json["backend_kind"] = "cuda";
  EXPECT_EQ(complaint(json),
            "the member cuda is missing, which a backend of the kind cuda must have");
  json["cuda"] = {{"version", "12.4"}, {"archs", {"8.0", "9.0+PTX"}}};
  const torchpkg::Manifest manifest = parse(json);
  EXPECT_EQ(manifest.cuda->major(), "12");
  EXPECT_EQ(names(targets_of(manifest.cuda->archs)), "sm_80 sm_90 compute_90");
  EXPECT_TRUE(manifest.cuda->additional_archs.empty());
  json["cuda"]["additional_archs"] = {"9.0a"};
  json["cuda"]["other_code"] = {{{"from", "magma"}, {"archs", {"7.0"}}}};
  json["cuda"]["versions"] = {{"cudnn", "9.1.0"}};
  EXPECT_EQ(parse(json).cuda->other_code.at(0).from, "magma");
  EXPECT_EQ(parse(json).cuda->versions.at("cudnn"), "9.1.0");
  json["cuda"]["archs"] = {"8.0", "sm_90"};
  EXPECT_EQ(complaint(json), "\"sm_90\" is not an architecture such as 9.0, 9.0a or 9.0+PTX");
  json["cuda"]["archs"] = Json::array();
  EXPECT_EQ(complaint(json), "cuda.archs is empty");
  json["cuda"].erase("archs");
  EXPECT_EQ(complaint(json), "(/cuda) key 'archs' not found");
}

TEST(Manifest, OtherTextAndOtherSchemas) {
  EXPECT_STREQ(error_of([] { parse_manifest("{", "m.json"); }).what(),
               "m.json: it is not valid JSON");
  EXPECT_STREQ(error_of([] { parse_manifest("[]", "m.json"); }).what(),
               "m.json: it is not an object");
  Json json = sample_manifest();
  json["schema"] = 2;
  EXPECT_EQ(complaint(json), "its schema is 2, but this torchpkg knows schema 1");
}

}  // namespace
}  // namespace torchpkg::test
