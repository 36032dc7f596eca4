// SPDX-License-Identifier: BSD-3-Clause
#include "index/artifacts.h"

#include <algorithm>
#include <system_error>

#include "common/error.h"
#include "common/file.h"
#include "common/parallel.h"
#include "common/sha256.h"
#include "common/text.h"
#include "wheel/metadata.h"
#include "zip/reader.h"

namespace torchpkg::index {

namespace fs = std::filesystem;

namespace {

Error no_wheel(const fs::path& path, const std::string& what) {
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
  throw no_wheel(path, "has no METADATA");
}

/// Fills in what METADATA says. The file name has {project}-{version}[-{build}]-{tags}.whl.
void describe(const fs::path& path, Bytes bytes, WheelArtifact& wheel) {
  try {
    wheel.metadata = read_metadata(path, bytes);
  } catch (const Error& error) {
    const std::string text = error.what();
    if (text.find(path.string()) != std::string::npos) throw;
    throw no_wheel(path, "is damaged: " + text);
  }
  const std::string name = wheel::metadata_field(wheel.metadata, "Name");
  wheel.version = wheel::metadata_field(wheel.metadata, "Version");
  wheel.requires_python = wheel::metadata_field(wheel.metadata, "Requires-Python");
  wheel.project = wheel::index_name_of(name);
  const std::vector<std::string> parts = split(wheel.file, '-');
  if (parts.size() < 5 || wheel::file_name_of(parts[0]) != wheel::file_name_of(name) ||
      parts[1] != wheel.version) {
    throw no_wheel(path, "is named otherwise than its METADATA: " + name + " " + wheel.version);
  }
}

}  // namespace

Artifacts read_artifacts(const fs::path& folder, unsigned jobs) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string suffix = entry.path().extension().string();
    if (entry.is_regular_file() && (suffix == ".whl" || suffix == ".zip")) {
      files.push_back(entry.path());
    }
  }
  if (error) throw system_error(folder.string() + " cannot be listed", error.value());
  std::sort(files.begin(), files.end());
  std::vector<WheelArtifact> found(files.size());
  for_each_parallel(files.size(), jobs, [&](std::size_t i) {
    const MappedFile content(files[i]);
    found[i].file = files[i].filename().string();
    found[i].size = content.bytes().size();
    found[i].sha256 = sha256_hex(content.bytes());
    if (files[i].extension() == ".whl") describe(files[i], content.bytes(), found[i]);
  });
  Artifacts artifacts;
  for (WheelArtifact& artifact : found) {
    if (artifact.file.ends_with(".whl")) {
      artifacts.wheels.push_back(std::move(artifact));
    } else {
      artifacts.archives.push_back(std::move(artifact));
    }
  }
  return artifacts;
}

}  // namespace torchpkg::index
