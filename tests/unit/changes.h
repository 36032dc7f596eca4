// SPDX-License-Identifier: BSD-3-Clause
// What can be changed in a package. Paths are relative to it.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support.h"

namespace torchpkg::test {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

/// One change of the package in this folder.
using Change = std::function<void(const fs::path& root)>;

inline Change put(const std::string& path, const std::string& text) {
  return [=](const fs::path& root) { write_file(root / path, text); };
}

inline Change drop(const std::string& path) {
  return [=](const fs::path& root) { ASSERT_GT(fs::remove_all(root / path), 0U) << path; };
}

inline Change move_file(const std::string& from, const std::string& to) {
  return [=](const fs::path& root) {
    fs::create_directories((root / to).parent_path());
    fs::rename(root / from, root / to);
  };
}

/// Puts `to` instead of the first `from`.
inline Change replace(const std::string& path, const std::string& from, const std::string& to) {
  return [=](const fs::path& root) {
    std::string text = file_content(root / path);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write_file(root / path, text.replace(at, from.size(), to));
  };
}

/// Compiles a library, whose SONAME is its file name.
inline Change put_library(const std::string& path, const std::string& source,
                          const Names& flags = {}) {
  return [=](const fs::path& root) { compile_shared(source, root / path, flags); };
}

/// Runs a program with these arguments on a file.
inline Change run_on(const std::string& path, const Names& command) {
  return [=](const fs::path& root) {
    Names all = command;
    all.push_back((root / path).string());
    must_run(all);
  };
}

inline Change set_rpath(const std::string& path, const std::string& rpath) {
  return run_on(path, {"patchelf", "--force-rpath", "--set-rpath", rpath});
}

inline Change add_needed(const std::string& path, const std::string& name) {
  return run_on(path, {"patchelf", "--add-needed", name});
}

/// Changes the manifest.
inline Change change_manifest(const std::function<void(Json&)>& change) {
  return [=](const fs::path& root) {
    Json manifest = Json::parse(file_content(root / "manifest.json"));
    change(manifest);
    write_file(root / "manifest.json", manifest.dump());
  };
}

/// Sets a member of it, by its JSON pointer; `-` is behind the last one of a list.
inline Change set(const std::string& pointer, const Json& value) {
  return change_manifest([=](Json& manifest) { manifest[Json::json_pointer(pointer)] = value; });
}

inline Change unset(const std::string& pointer) {
  return change_manifest([=](Json& manifest) {
    manifest = manifest.patch({{{"op", "remove"}, {"path", pointer}}});
  });
}

/// Adds a library of that file name to its list of bundled ones.
inline Change list_bundled(const std::string& file) { return set("/bundled/-", {{"file", file}}); }

}  // namespace torchpkg::test
