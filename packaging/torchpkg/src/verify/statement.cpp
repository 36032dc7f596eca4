// SPDX-License-Identifier: BSD-3-Clause
#include "verify/statement.h"

#include <fmt/core.h>

#include "common/json_node.h"

namespace torchpkg {

namespace {

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
void add_dependency(Statement& statement, const JsonNode& node) {
  const JsonNode said = node.at("annotations");
  const JsonNode digest = node.at("digest");
  const std::string kind = said.at("kind").text();
  const std::string name = node.at("name").text();
  if (kind == "source") {
    const std::string git = digest.text_or_empty("gitCommit");
    add_fact(statement.facts[said.at("package").text()], "source " + name,
             source_fact(said.at("version").text(), digest.text_or_empty("sha256"),
                         git.empty() ? said.text_or_empty("commit") : git,
                         digest.text_or_empty("treeSha256")));
  } else if (kind == "patch") {
    add_fact(statement.facts[said.at("package").text()], "patch " + name,
             "for " + said.at("source").text());
  } else if (kind == "bundled") {
    add_fact(statement.facts[""], "bundled " + name, digest.at("sha256").text());
  } else if (kind == "project") {
    if (!statement.commit.empty()) node.fail(node.place() + " is a second project");
    statement.commit = digest.at("gitCommit").text();
    statement.clean = said.at("clean").boolean();
  }
}

}  // namespace

Statement parse_statement(std::string_view text, const std::string& where) {
  const auto json = parse_json<nlohmann::json>(text);
  const JsonFile file{where, "give the statement that was written beside the artifact"};
  const JsonNode root(json, "", file);
  if (json.is_discarded()) root.fail("it is not valid JSON");
  (void)root.at("_type").one_of({"https://in-toto.io/Statement/v1"});
  (void)root.at("predicateType").one_of({"https://slsa.dev/provenance/v1"});
  const JsonNode build = root.at("predicate").at("buildDefinition");
  (void)build.at("buildType").one_of({"urn:torch-superbuild:build:v1"});
  Statement statement;
  const auto read_subject = [&statement](const JsonNode& node) {
    statement.file = node.at("name").text();
    statement.sha256 = node.at("digest").at("sha256").text();
    return true;
  };
  if (root.at("subject").list(read_subject).size() != 1) root.fail("it has not one subject");
  for (const char* name : {"version", "preset", "backend"}) {
    statement.facts[""][name] = build.at("externalParameters").at(name).text();
  }
  build.at("internalParameters")
      .at("fingerprints")
      .members([&statement](const std::string& package, const JsonNode& node) {
        statement.facts[package]["fingerprint"] = node.text();
      });
  (void)build.at("resolvedDependencies").list([&statement](const JsonNode& node) {
    add_dependency(statement, node);
    return true;
  });
  return statement;
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
