// SPDX-License-Identifier: BSD-3-Clause
#include "verify/statement.h"

#include <fmt/core.h>

#include <stdexcept>

#include "common/json.h"

namespace torchpkg {

namespace {

using Json = nlohmann::json;

std::string source_fact(const std::string& version, const std::string& sha256,
                        const std::string& commit, const std::string& tree) {
  // A user's folder counts by its content, an archive by its hash, only then a commit.
  if (!tree.empty()) return fmt::format("{} folder:{}", version, tree);
  if (!sha256.empty()) return fmt::format("{} sha256:{} commit:{}", version, sha256, commit);
  return fmt::format("{} commit:{}", version, commit);
}

/// What is said twice, and not the same, is compared with all that is said.
void add_fact(Facts& facts, const std::string& about, const std::string& said) {
  const auto [fact, is_new] = facts.emplace(about, said);
  if (!is_new && fact->second != said) fact->second += ", and " + said;
}

/// One of resolvedDependencies. What a manifest does not tell, such as the compiler, is left out.
void add_dependency(Statement& statement, const Json& json) {
  const Json& said = json.at("annotations");
  const Json& digest = json.at("digest");
  const std::string kind = said.at("kind");
  const std::string name = json.at("name");
  if (kind == "source") {
    add_fact(statement.facts[said.at("package")], "source " + name,
             source_fact(said.at("version"), digest.value("sha256", ""),
                         digest.value("gitCommit", said.value("commit", "")),
                         digest.value("treeSha256", "")));
  } else if (kind == "patch") {
    add_fact(statement.facts[said.at("package")], "patch " + name,
             "for " + said.at("source").get<std::string>());
  } else if (kind == "bundled") {
    add_fact(statement.facts[""], "bundled " + name, digest.at("sha256"));
  } else if (kind == "project") {
    if (!statement.commit.empty()) throw std::invalid_argument("it has a second project");
    statement.commit = digest.at("gitCommit");
    statement.clean = said.at("clean");
  }
}

Statement read_statement(const Json& json) {
  (void)one_of(json, "_type", {"https://in-toto.io/Statement/v1"});
  (void)one_of(json, "predicateType", {"https://slsa.dev/provenance/v1"});
  const Json& build = json.at("predicate").at("buildDefinition");
  (void)one_of(build, "buildType", {"urn:torch-superbuild:build:v1"});
  const Json& subject = json.at("subject");
  if (!subject.is_array() || subject.size() != 1) {
    throw std::invalid_argument("it has not one subject");
  }
  Statement statement;
  statement.file = subject[0].at("name");
  statement.sha256 = subject[0].at("digest").at("sha256");
  for (const char* name : {"version", "preset", "backend"}) {
    statement.facts[""][name] = build.at("externalParameters").at(name);
  }
  using Texts = std::map<std::string, std::string>;
  for (const auto& [package, fingerprint] :
       build.at("internalParameters").at("fingerprints").get<Texts>()) {
    statement.facts[package]["fingerprint"] = fingerprint;
  }
  for (const Json& dependency : build.at("resolvedDependencies").get_ref<const Json::array_t&>()) {
    add_dependency(statement, dependency);
  }
  return statement;
}

}  // namespace

Statement parse_statement(std::string_view text, const std::string& where) {
  return read_json(text, where, "give the statement that was written beside the artifact",
                   read_statement);
}

FactsOfPackages facts_of(const Manifest& manifest) {
  FactsOfPackages facts;
  facts[""] = {
      {"version", manifest.version}, {"preset", manifest.preset}, {"backend", manifest.backend}};
  for (const ManifestBundled& library : manifest.bundled) {
    add_fact(facts[""], "bundled " + library.from, library.sha256);
  }
  for (const ManifestPackage& package : manifest.packages) {
    Facts& here = facts[package.name];
    add_fact(here, "fingerprint", package.fingerprint);
    for (const ManifestSource& source : package.sources) {
      if (!source.in.empty()) continue;  // a part of another source
      add_fact(here, "source " + source.name,
               source_fact(source.version, source.sha256, source.commit, source.tree_sha256));
    }
    for (const ManifestPatch& patch : package.patches) {
      add_fact(here, "patch " + patch.file, "for " + patch.source);
    }
  }
  return facts;
}

}  // namespace torchpkg
