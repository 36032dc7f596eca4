// SPDX-License-Identifier: BSD-3-Clause
#include "index/index.h"

#include <fmt/core.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <vector>

#include "common/file.h"
#include "common/sha256.h"
#include "common/text.h"
#include "index/artifacts.h"
#include "index/channel.h"
#include "index/escape.h"

namespace torchpkg::index {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Wheels = std::vector<const WheelArtifact*>;

namespace {

constexpr const char* kApiVersion = "1.1";
constexpr const char* kMetadataSuffix = ".metadata";

std::string page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"pypi:repository-version\" content=\"{}\">\n<title>{}</title>\n</head>\n"
      "<body>\n<h1>{}</h1>\n{}</body>\n</html>\n",
      kApiVersion, html(title), html(title), body);
}

std::string json_text(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string project_html(const std::string& project, const Wheels& wheels) {
  std::string body;
  for (const WheelArtifact* wheel : wheels) {
    // Not data-dist-info-metadata, its first name: pip before 23.2 then refuses projects whose name
    // is not normalized in METADATA. https://peps.python.org/pep-0714/
    std::string attributes =
        fmt::format(" data-core-metadata=\"sha256={}\"", sha256_of_text(wheel->metadata));
    if (!wheel->requires_python.empty()) {
      attributes += fmt::format(" data-requires-python=\"{}\"", html(wheel->requires_python));
    }
    body += fmt::format("<a href=\"../../{}#sha256={}\"{}>{}</a><br>\n", url(wheel->file),
                        wheel->sha256, attributes, html(wheel->file));
  }
  return page("Links for " + project, body);
}

Json project_json(const std::string& project, const Wheels& wheels) {
  Json files = Json::array();
  std::set<std::string> versions;
  for (const WheelArtifact* wheel : wheels) {
    versions.insert(wheel->version);
    Json file{{"filename", wheel->file},
              {"url", "../../" + url(wheel->file)},
              {"hashes", {{"sha256", wheel->sha256}}},
              {"size", wheel->size},
              {"core-metadata", {{"sha256", sha256_of_text(wheel->metadata)}}}};
    if (!wheel->requires_python.empty()) file["requires-python"] = wheel->requires_python;
    files.push_back(std::move(file));
  }
  return {{"meta", {{"api-version", kApiVersion}}},
          {"name", project},
          {"versions", versions},
          {"files", std::move(files)}};
}

void write_simple(const fs::path& simple, const std::map<std::string, Wheels>& projects) {
  std::string body;
  Json list = Json::array();
  for (const auto& [project, wheels] : projects) {
    write_text_atomically(simple / project / "index.html", project_html(project, wheels));
    write_text_atomically(simple / project / "index.json",
                          json_text(project_json(project, wheels)));
    body += fmt::format("<a href=\"{}/\">{}</a><br>\n", url(project), html(project));
    list.push_back({{"name", project}});
  }
  write_text_atomically(simple / "index.html", page("Projects", body));
  write_text_atomically(simple / "index.json", json_text({{"meta", {{"api-version", kApiVersion}}},
                                                          {"projects", std::move(list)}}));
}

void write_flat_list(const fs::path& folder, const Artifacts& artifacts) {
  std::string rows;
  std::string sums;
  const auto add = [&](const Artifact& artifact) {
    rows += fmt::format(
        "<tr><td><a href=\"{}#sha256={}\">{}</a></td><td>{}</td><td><code>{}</code></td></tr>\n",
        url(artifact.file), artifact.sha256, html(artifact.file), human_size(artifact.size),
        artifact.sha256);
    sums += fmt::format("{}  {}\n", artifact.sha256, artifact.file);
  };
  for (const Artifact& archive : artifacts.archives) add(archive);
  for (const WheelArtifact& wheel : artifacts.wheels) add(wheel);
  for (const CondaArtifact& package : artifacts.conda_packages) add(package);
  std::string body =
      "<table>\n<tr><th>file</th><th>size</th><th>sha256</th></tr>\n" + rows + "</table>\n";
  if (!artifacts.wheels.empty()) body += "<p><a href=\"simple/\">index for pip and uv</a></p>\n";
  if (!artifacts.conda_packages.empty()) body += "<p>This folder is a conda channel.</p>\n";
  write_text_atomically(folder / "SHA256SUMS", sums);
  write_text_atomically(folder / "index.html", page("Files", body));
}

/// Removes pages of projects and METADATA of wheels that are not there any more. What cannot be
/// removed misleads nobody, since no page refers to it.
void remove_stale(const fs::path& folder, const Artifacts& artifacts,
                  const std::map<std::string, Wheels>& projects) {
  std::set<std::string> wanted;
  for (const WheelArtifact& wheel : artifacts.wheels) wanted.insert(wheel.file + kMetadataSuffix);
  std::vector<fs::path> stale;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(std::string(".whl") + kMetadataSuffix) && wanted.count(name) == 0) {
      stale.push_back(entry.path());
    }
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "simple", ignored)) {
    if (!entry.is_directory() || projects.count(entry.path().filename().string()) != 0) continue;
    stale.push_back(entry.path() / "index.html");
    stale.push_back(entry.path() / "index.json");
    stale.push_back(entry.path());  // stays when somebody else's file is in it
  }
  for (const fs::path& path : stale) fs::remove(path, ignored);
}

}  // namespace

IndexResult index(const fs::path& folder, unsigned jobs) {
  const Artifacts artifacts = read_artifacts(folder, jobs);
  std::map<std::string, Wheels> projects;
  for (const WheelArtifact& wheel : artifacts.wheels) projects[wheel.project].push_back(&wheel);
  for (const WheelArtifact& wheel : artifacts.wheels) {
    write_text_atomically(folder / (wheel.file + kMetadataSuffix), wheel.metadata);
  }
  write_simple(folder / "simple", projects);
  write_channel(folder, artifacts.conda_packages);
  write_flat_list(folder, artifacts);
  remove_stale(folder, artifacts, projects);
  return {artifacts.archives.size(), artifacts.wheels.size(), projects.size(),
          artifacts.conda_packages.size()};
}

}  // namespace torchpkg::index
