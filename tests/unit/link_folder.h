// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "support.h"

namespace torchpkg::test {

using Names = std::vector<std::string>;

/// A folder in which things are compiled, put into static libraries and linked.
class LinkFolder {
 public:
  fs::path operator/(const fs::path& name) const { return folder_ / name; }
  [[nodiscard]] const fs::path& path() const { return folder_.path(); }

  /// Compiles C++ text; names in it that are not static are C's.
  void object(const std::string& name, const std::string& source, const Names& flags = {}) const;

  /// An object with a function of its name (without `.o`), which calls others.
  void function(const std::string& name, const Names& calls = {}) const;

  /// Makes a static library as ar does. `flags`: `rcsD`, with `T` a thin one, `S` without index.
  void library(const std::string& name, const Names& members, const std::string& flags) const;

  /// Runs a shell command in the folder; fails the test when the command does.
  [[nodiscard]] std::string shell(const std::string& command) const;

  /// Runs `torchpkg archive` for the link of a shared library of these words, into x.a.
  [[nodiscard]] CommandResult archive(const std::string& words, const Names& options = {}) const;

  /// The same, which must succeed: names of the members of x.a.
  [[nodiscard]] Names archived(const std::string& words, const Names& options = {}) const;

 private:
  TemporaryFolder folder_;
};

/// The linkers of -fuse-ld that are there: of bfd, gold, lld and mold.
const Names& linkers();

}  // namespace torchpkg::test
