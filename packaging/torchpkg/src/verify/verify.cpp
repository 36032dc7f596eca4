// SPDX-License-Identifier: BSD-3-Clause
#include "verify/verify.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <vector>

#include "common/error.h"
#include "common/file.h"
#include "common/sha256.h"
#include "common/text.h"
#include "common/unpack_limits.h"
#include "package/package_source.h"
#include "verify/statement.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kShown = 10;

/// Prints what was compared and with which result; returns whether all was the same.
bool print_result(const std::string& what, const std::vector<std::string>& differences) {
  fmt::print("{:<5} {}\n", differences.empty() ? "same" : "DIFFER", printable(what));
  for (std::size_t i = 0; i < std::min(differences.size(), kShown); ++i) {
    fmt::print("      {}\n", printable(differences[i]));
  }
  if (differences.size() > kShown) fmt::print("      and {} more\n", differences.size() - kShown);
  return differences.empty();
}

/// What two maps do not have in common, in words.
std::vector<std::string> differences(const Facts& left, const std::string& left_says,
                                     const Facts& right, const std::string& right_says) {
  const auto value = [](const Facts& facts, const std::string& key) {
    const auto found = facts.find(key);
    return found == facts.end() ? std::string("nothing") : found->second;
  };
  Facts keys = left;
  keys.insert(right.begin(), right.end());
  std::vector<std::string> found;
  for (const auto& [key, ignored] : keys) {
    const std::string of_left = value(left, key);
    const std::string of_right = value(right, key);
    if (of_left == of_right) continue;
    found.push_back(fmt::format("{}: {} {}, {} {}", key, left_says, of_left, right_says, of_right));
  }
  return found;
}

std::unique_ptr<PackageSource> open_whole_package(const std::string& path) {
  std::unique_ptr<PackageSource> package = open_package(path);
  if (!package->archive_problems().empty()) {
    throw Error(ExitCode::kBadInput, path + " is damaged: " + package->archive_problems().front(),
                "get it again");
  }
  return package;
}

bool compare_file(const VerifyOptions& options, const Statement& statement,
                  const std::string& sha256) {
  const Facts is{{"name", fs::path(options.artifact).filename().string()}, {"sha256", sha256}};
  const Facts said{{"name", statement.file}, {"sha256", statement.sha256}};
  return print_result(fmt::format("name and sha256 of the file: {}", sha256),
                      differences(is, "the file has", said, "the statement says"));
}

bool compare_manifest(const VerifyOptions& options, const Statement& statement) {
  const std::optional<std::string> text = open_whole_package(options.artifact)->manifest();
  if (!text) {
    fmt::print(
        "none  it has no manifest, as a package with debug information: no sources to compare\n");
    return true;
  }
  const FactsOfPackages facts =
      facts_of(parse_manifest(*text, "manifest.json in " + options.artifact));
  bool same = true;
  for (const auto& [package, of_artifact] : facts) {
    const auto found = statement.facts.find(package);
    const Facts of_statement = found == statement.facts.end() ? Facts{} : found->second;
    std::vector<std::string> names;
    for (const auto& [name, ignored] : of_artifact) names.push_back(name);
    const std::string label = package.empty() ? "the artifact" : package;
    same &= print_result(
        label + ": " + join(names, ", "),
        differences(of_artifact, "the manifest says", of_statement, "the statement says"));
  }
  for (const auto& [package, ignored] : statement.facts) {
    if (!facts.contains(package)) {
      fmt::print("none  {} cannot be compared: the statement names it, the manifest does not\n",
                 printable(package));
    }
  }
  return same;
}

/// The files of a package, each with size and hash, or with the target of a symlink.
Facts content_of(const std::string& path, unsigned jobs) {
  const std::unique_ptr<PackageSource> package = open_whole_package(path);
  const std::vector<PackageFile>& files = package->files();
  Facts content;
  for (const PackageFile& file : files) {
    if (file.symlink) content[file.path] = "a link to " + file.target;
  }
  std::mutex mutex;
  const std::vector<std::string> problems =
      package->read_files(jobs, [&](std::size_t index, Bytes bytes) {
        const std::string text =
            fmt::format("{} bytes, sha256 {}", bytes.size(), sha256_hex(bytes));
        const std::lock_guard lock(mutex);
        content[files[index].path] = text;
      });
  if (!problems.empty()) {
    throw Error(ExitCode::kBadInput, path + " is damaged: " + problems.front(), "get it again");
  }
  return content;
}

bool compare_builds(const VerifyOptions& options, const std::string& sha256) {
  if (sha256_of_file(options.against) == sha256) {
    return print_result(fmt::format("every byte of {}", options.against), {});
  }
  const Facts left = content_of(options.artifact, options.jobs);
  const Facts right = content_of(options.against, options.jobs);
  std::vector<std::string> found = differences(left, "here", right, "there");
  if (found.empty()) {
    found.push_back(fmt::format(
        "the {} files in it are the same; order, times, permissions or compression are not",
        left.size()));
  }
  return print_result(options.against, found);
}

}  // namespace

int verify(const VerifyOptions& options) {
  const std::string place =
      options.statement.empty() ? options.artifact + ".intoto.json" : options.statement;
  const std::string sha256 = sha256_of_file(options.artifact);
  std::error_code error;
  if (!fs::exists(place, error)) {
    throw Error(ExitCode::kBadInput, "there is no statement " + place,
                "cpack writes it beside the artifact; name another place with --statement");
  }
  const MappedFile file(place);
  check_text_size(place, file.bytes().size());
  const Statement statement = parse_statement(as_text(file.bytes()), place);
  bool same = compare_file(options, statement, sha256);
  same &= compare_manifest(options, statement);
  if (!options.against.empty()) same &= compare_builds(options, sha256);
  const std::string project =
      statement.commit.empty()
          ? "an unknown commit"
          : statement.commit + (statement.clean ? "" : ", with changes that are in no commit");
  fmt::print("torch-superbuild was at {}\n", printable(project));
  fmt::print("{} {}; signatures were not looked at\n", printable(options.artifact),
             same ? "is what its statement says" : "is NOT what was expected");
  return static_cast<int>(same ? ExitCode::kGood : ExitCode::kCheckFailed);
}

}  // namespace torchpkg
