// SPDX-License-Identifier: BSD-3-Clause
#include "index/artifacts.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <type_traits>
#include <variant>

#include "common/error.h"
#include "common/file.h"
#include "common/parallel.h"
#include "common/sha256.h"
#include "common/text.h"
#include "conda/package_reader.h"
#include "wheel/metadata.h"
#include "zip/reader.h"

namespace torchpkg::index {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCondaSuffix = ".conda";

Error bad_artifact(const fs::path& path, const std::string& what) {
  return {ExitCode::kBadInput, path.string() + " " + what, "make it again, or take it away"};
}

std::string read_metadata(const fs::path& path, Bytes bytes) {
  const zip::Reader reader(bytes);
  for (const zip::Entry& entry : reader.entries()) {
    const std::size_t slash = entry.name.find('/');
    const bool in_dist_info = slash != std::string::npos &&
                              std::string_view(entry.name).substr(0, slash).ends_with(".dist-info");
    if (!in_dist_info || entry.name.substr(slash) != "/METADATA") continue;
    const std::vector<std::uint8_t> content = reader.content(entry);
    return std::string(as_text(content));
  }
  throw bad_artifact(path, "has no METADATA");
}

/// Fills in what METADATA says. The file name has {project}-{version}[-{build}]-{tags}.whl.
void describe(const fs::path& path, Bytes bytes, WheelArtifact& wheel) {
  try {
    wheel.metadata = read_metadata(path, bytes);
  } catch (const Error& error) {
    const std::string text = error.what();
    if (text.find(path.string()) != std::string::npos) throw;
    throw bad_artifact(path, "is damaged: " + text);
  }
  const std::string name = wheel::metadata_field(wheel.metadata, "Name");
  wheel.version = wheel::metadata_field(wheel.metadata, "Version");
  wheel.requires_python = wheel::metadata_field(wheel.metadata, "Requires-Python");
  wheel.project = wheel::index_name_of(name);
  const std::vector<std::string> parts = split(wheel.file, '-');
  if (parts.size() < 5 || wheel::file_name_of(parts[0]) != wheel::file_name_of(name) ||
      parts[1] != wheel.version) {
    throw bad_artifact(path,
                       "has another name than its METADATA says: " + name + " " + wheel.version);
  }
}

/// Fills in what info/index.json says. The file is called after it, its folder after the platform.
void describe(const fs::path& path, Bytes bytes, CondaArtifact& package) {
  std::optional<std::string> text;
  try {
    text = conda::PackageReader(bytes).info_text("index.json");
  } catch (const Error& error) {
    throw bad_artifact(path, std::string("is damaged: ") + error.what());
  }
  if (!text) throw bad_artifact(path, "has no info/index.json");
  package.index = conda::parse_index_json(*text, "info/index.json of " + path.string());
  const std::string expected = package.index.subdir + "/" + package.index.stem() + kCondaSuffix;
  if (package.file != expected) {
    throw bad_artifact(
        path, "has another name than its index.json says, or is in the wrong folder: " + expected);
  }
}

bool is_artifact(const fs::path& path) {
  const std::string suffix = path.extension().string();
  return suffix == ".whl" || suffix == ".zip";
}

/// The zips and wheels of the folder, and the conda packages one level below.
std::vector<fs::path> list_files(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_regular_file() && is_artifact(entry.path())) files.push_back(entry.path());
    if (!entry.is_directory() || entry.is_symlink()) continue;
    for (const fs::directory_entry& inner : fs::directory_iterator(entry.path(), error)) {
      if (inner.is_regular_file() && inner.path().extension() == kCondaSuffix) {
        files.push_back(inner.path());
      }
    }
    if (error) throw system_error(entry.path().string() + " cannot be listed", error.value());
  }
  if (error) throw system_error(folder.string() + " cannot be listed", error.value());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Artifacts read_artifacts(const fs::path& folder, unsigned jobs) {
  const std::vector<fs::path> files = list_files(folder);
  std::vector<std::variant<Artifact, WheelArtifact, CondaArtifact>> found(files.size());
  for_each_parallel(files.size(), jobs, [&](std::size_t i) {
    const MappedFile content(files[i]);
    const auto add = [&](auto artifact) {
      artifact.file = files[i].lexically_relative(folder).generic_string();
      artifact.size = content.bytes().size();
      artifact.sha256 = sha256_hex(content.bytes());
      if constexpr (!std::is_same_v<decltype(artifact), Artifact>) {
        describe(files[i], content.bytes(), artifact);
      }
      found[i] = std::move(artifact);
    };
    const std::string suffix = files[i].extension().string();
    if (suffix == ".whl") {
      add(WheelArtifact());
    } else if (suffix == kCondaSuffix) {
      add(CondaArtifact());
    } else {
      add(Artifact());
    }
  });
  Artifacts artifacts;
  for (auto& artifact : found) {
    if (auto* wheel = std::get_if<WheelArtifact>(&artifact)) {
      artifacts.wheels.push_back(std::move(*wheel));
    } else if (auto* package = std::get_if<CondaArtifact>(&artifact)) {
      artifacts.conda_packages.push_back(std::move(*package));
    } else {
      artifacts.archives.push_back(std::move(std::get<Artifact>(artifact)));
    }
  }
  return artifacts;
}

}  // namespace torchpkg::index
