// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>

#include "common/sha256.h"
#include "sample_package.h"
#include "support.h"
#include "verify/statement.h"

namespace torchpkg::test {
namespace {

using Json = nlohmann::json;

Json dependency(const char* kind, const char* name, const Json& digest, Json annotations) {
  annotations["kind"] = kind;
  return {{"name", name}, {"digest", digest}, {"annotations", annotations}};
}

/// What is said about the sample manifest with a patch, a bundled library and a code generator.
Json sample_statement(const std::string& sha256) {
  Json dependencies = Json::array();
  const auto add_source = [&dependencies](const char* package, const char* version) {
    dependencies.push_back(dependency("source", package, {{"sha256", "abcd"}},
                                      {{"package", package}, {"version", version}}));
  };
  add_source("pytorch", "2.6.0");
  add_source("sleef", "3.9.0");
  add_source("openblas", "0.3.29");
  add_source("generator", "1");
  dependencies.push_back(dependency("patch", "a.patch", {{"sha256", "ef"}},
                                    {{"package", "pytorch"}, {"source", "gloo"}}));
  dependencies.push_back(
      dependency("bundled", "libgomp.so.1.0.0", {{"sha256", "12"}}, Json::object()));
  dependencies.push_back(dependency("toolchain", "C compiler", {{"sha256", "34"}}, Json::object()));
  dependencies.push_back(
      dependency("project", "torch-superbuild", {{"gitCommit", "56"}}, {{"clean", false}}));
  Json fingerprints;
  for (const char* package : {"pytorch", "sleef", "openblas", "generator"}) {
    fingerprints[package] = "0123";
  }
  return {{"_type", "https://in-toto.io/Statement/v1"},
          {"subject", {{{"name", "package.zip"}, {"digest", {{"sha256", sha256}}}}}},
          {"predicateType", "https://slsa.dev/provenance/v1"},
          {"predicate",
           {{"buildDefinition",
             {{"buildType", "urn:torch-superbuild:build:v1"},
              {"externalParameters",
               {{"version", "2.6.0+cpu"}, {"preset", "cpu-libtorch-shared"}, {"backend", "cpu"}}},
              {"internalParameters", {{"fingerprints", fingerprints}}},
              {"resolvedDependencies", dependencies}}}}}};
}

class Verify : public testing::Test {
 protected:
  void SetUp() override {
    Json manifest = sample_manifest();
    manifest["packages"][0]["patches"] = {{{"file", "a.patch"}, {"source", "gloo"}}};
    manifest["bundled"] = {{{"name", "libgomp.so.1"},
                            {"from", "libgomp.so.1.0.0"},
                            {"sha256", "12"},
                            {"file", "libgomp.so.1"}}};
    write_file(root() / "manifest.json", manifest.dump());
    write_file(root() / "lib/libc10.so", "code");
    pack(artifact());
    write(sample_statement(sha256_of_file(artifact())));
  }

  [[nodiscard]] fs::path root() const { return folder_ / "libtorch"; }
  [[nodiscard]] fs::path artifact() const { return folder_ / "package.zip"; }

  void pack(const fs::path& zip) const {
    const CommandResult result =
        torchpkg({"pack", "zip", "--root", root().string(), "--output", zip.string()});
    ASSERT_EQ(result.exit_code, 0) << result.output;
  }

  void write(const Json& statement) const {
    write_file(artifact().string() + ".intoto.json", statement.dump());
  }

  /// Verifies with a changed statement.
  [[nodiscard]] CommandResult verify(const std::function<void(Json&)>& change) const {
    Json statement = sample_statement(sha256_of_file(artifact()));
    change(statement);
    write(statement);
    return verify();
  }

  [[nodiscard]] CommandResult verify(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"verify", artifact().string()});
    return torchpkg(options);
  }

  static Json& build(Json& statement) { return statement["predicate"]["buildDefinition"]; }
  static Json& source(Json& statement, std::size_t index) {
    return build(statement)["resolvedDependencies"][index];
  }

  static void expect(const CommandResult& result, int exit_code, const std::string& text) {
    EXPECT_EQ(result.exit_code, exit_code) << result.output;
    EXPECT_TRUE(contains(result.output, text));
  }

  TemporaryFolder folder_;
};

TEST_F(Verify, SaysWhatItCompared) {
  const CommandResult result = verify();
  expect(result, 0, "same  name and sha256 of the file: " + sha256_of_file(artifact()));
  expect(result, 0, "same  the artifact: backend, bundled libgomp.so.1.0.0, preset, version\n");
  expect(result, 0, "same  pytorch: fingerprint, patch a.patch, source pytorch\n");
  expect(result, 0,
         "none  generator cannot be compared: the statement names it, the manifest does not");
  expect(result, 0, "torch-superbuild was at 56, with changes that are in no commit\n");
  expect(result, 0, "is what its statement says; signatures were not looked at\n");
}

TEST_F(Verify, AnotherFile) {
  write_file(root() / "lib/libc10.so", "other");
  pack(artifact());
  expect(verify(), 1, "DIFFER name and sha256 of the file");
  fs::rename(folder_ / "package.zip.intoto.json", folder_ / "other.json");
  fs::rename(artifact(), folder_ / "renamed.zip");
  expect(torchpkg({"verify", (folder_ / "renamed.zip").string(), "--statement",
                   (folder_ / "other.json").string()}),
         1, "name: the file has renamed.zip, the statement says package.zip\n");
}

TEST_F(Verify, AnotherSourcePatchParameterOrPackage) {
  expect(verify([](Json& json) { source(json, 1)["digest"]["sha256"] = "dead"; }), 1,
         "source sleef: the manifest says 3.9.0 sha256:abcd commit:, the statement says 3.9.0 "
         "sha256:dead commit:\n");
  expect(verify([](Json& json) { source(json, 1)["annotations"]["version"] = "3.9.1"; }), 1,
         "the statement says 3.9.1 sha256:abcd");
  expect(verify([](Json& json) { build(json)["resolvedDependencies"].erase(1); }), 1,
         "the statement says nothing\n");
  expect(verify([](Json& json) { source(json, 3)["annotations"]["package"] = "sleef"; }), 1,
         "source generator: the manifest says nothing, the statement says 1 sha256:abcd");
  expect(verify([](Json& json) { source(json, 4)["annotations"]["source"] = "onnx"; }), 1,
         "patch a.patch: the manifest says for gloo, the statement says for onnx\n");
  expect(verify([](Json& json) { source(json, 5)["digest"]["sha256"] = "13"; }), 1,
         "bundled libgomp.so.1.0.0: the manifest says 12, the statement says 13\n");
  expect(verify([](Json& json) { build(json)["externalParameters"]["preset"] = "x"; }), 1,
         "preset: the manifest says cpu-libtorch-shared, the statement says x\n");
  expect(verify([](Json& json) {
           build(json)["internalParameters"]["fingerprints"]["pytorch"] = "4567";
         }),
         1, "fingerprint: the manifest says 0123, the statement says 4567\n");
}

TEST_F(Verify, WhatIsSaidTwice) {
  const auto say_first = [](Json& json, std::size_t index, const char* sha256) {
    Json other = source(json, index);
    other["digest"]["sha256"] = sha256;
    Json& all = build(json)["resolvedDependencies"];
    all.insert(all.begin(), other);
  };
  expect(verify([&](Json& json) { say_first(json, 1, "dead"); }), 1,
         "the statement says 3.9.0 sha256:dead commit:, and 3.9.0 sha256:abcd commit:\n");
  expect(verify([&](Json& json) { say_first(json, 1, "abcd"); }), 0, "is what its statement says");
  expect(verify([&](Json& json) { say_first(json, 5, "dead"); }), 1,
         "the statement says dead, and 12\n");
  expect(verify([](Json& json) { build(json)["resolvedDependencies"].push_back(source(json, 7)); }),
         3, "package.zip.intoto.json: it has a second project");
  Json manifest = Json::parse(file_content(root() / "manifest.json"));
  Json other = manifest["packages"][1];
  other["sources"][0]["sha256"] = "dead";
  manifest["packages"].insert(manifest["packages"].begin(), other);
  write_file(root() / "manifest.json", manifest.dump());
  pack(artifact());
  expect(verify([](Json&) {}), 1, "the manifest says 3.9.0 sha256:dead commit:, and 3.9.0");
}

TEST_F(Verify, NoStatementOfOurs) {
  fs::remove(folder_ / "package.zip.intoto.json");
  expect(verify(), 3, "package.zip.intoto.json\nremedy: cpack writes it beside the artifact");
  fs::create_symlink("package.zip.intoto.json", folder_ / "package.zip.intoto.json");
  expect(verify(), 3, "there is no statement ");
  fs::remove(folder_ / "package.zip.intoto.json");
  ASSERT_EQ(::mkfifo((folder_ / "package.zip.intoto.json").c_str(), 0600), 0);
  expect(verify(), 3, "package.zip.intoto.json is not a regular file\nremedy: give a file");
  fs::remove(folder_ / "package.zip.intoto.json");
  write_file(folder_ / "package.zip.intoto.json", "{");
  fs::resize_file(folder_ / "package.zip.intoto.json", std::uintmax_t{1} << 33U);
  expect(verify(), 3,
         "package.zip.intoto.json has 8.0 GiB; the limit for a file that is parsed is 16.0 MiB");
  write_file(folder_ / "package.zip.intoto.json", "{");
  expect(verify(), 3, "package.zip.intoto.json: it is not valid JSON\nremedy: give the statement");
  expect(verify([](Json& json) { json["_type"] = "https://in-toto.io/Statement/v0.1"; }), 3,
         "the member _type is \"https://in-toto.io/Statement/v0.1\", not one of");
  expect(verify([](Json& json) { json["subject"].push_back(json["subject"][0]); }), 3,
         "it has not one subject");
  expect(verify([](Json& json) { build(json)["buildType"] = "another"; }), 3,
         "the member buildType is \"another\"");
  expect(verify([](Json& json) { source(json, 0).erase("digest"); }), 3,
         "(/predicate/buildDefinition/resolvedDependencies/0) key 'digest' not found");
}

TEST_F(Verify, AnotherBuild) {
  const std::string other = (folder_ / "other.zip").string();
  pack(other);
  expect(verify({"--against", other}), 0, "same  every byte of " + other);
  fs::permissions(root() / "lib/libc10.so", fs::perms::owner_all);
  pack(other);
  expect(verify({"--against", other}), 1,
         "the 2 files in it are the same; order, times, permissions or compression are not\n");
  write_file(root() / "lib/libc10.so", "longer code");
  write_file(root() / "lib/more", "");
  pack(other);
  const CommandResult result = verify({"--against", other});
  expect(result, 1,
         "lib/libc10.so: here 4 bytes, sha256 " + sha256_of_text("code") +
             ", there 11 bytes, sha256 " + sha256_of_text("longer code") + "\n");
  expect(result, 1, "lib/more: here nothing, there 0 bytes, sha256 ");
  for (int i = 0; i < 20; ++i) write_file(root() / std::to_string(i), "");
  pack(other);
  expect(verify({"--against", other}), 1, "      and 12 more\n");
}

TEST_F(Verify, DamagedAndWithoutManifest) {
  write_file(artifact(), file_content(artifact()).substr(0, 300));
  expect(verify([](Json&) {}), 3, "package.zip is damaged: ");
  fs::remove(artifact());
  fs::remove(root() / "manifest.json");
  pack(artifact());
  expect(verify([](Json&) {}), 0, "none  it has no manifest");
}

}  // namespace
}  // namespace torchpkg::test
