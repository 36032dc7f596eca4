// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include "fat_binaries.h"

namespace torchpkg::test {

using Names = std::vector<std::string>;

/// A fat binary of `before` of which only `after` is left.
std::string sliced(const Names& before, const Names& after);

/// A package, and `torchpkg slice` on it.
class SliceFixture : public testing::Test {
 protected:
  /// A shared library in the package with `content` in a section.
  fs::path library(const std::string& name, const std::string& content,
                   const std::string& section = ".nv_fatbin") const;

  /// A static library in the package with two such objects, and a file that is none between them.
  fs::path static_library(const std::string& name, const std::string& content) const;

  /// Slices the package; `before` is what the command begins with.
  [[nodiscard]] CommandResult run(Names arguments, const Names& before = {}) const;

  /// Slices the package, where `before` must become `after` in a file and nothing else change.
  void becomes(const fs::path& file, const std::string& before, const std::string& after,
               const Names& arguments) const;

  /// The package stays as it is, and the command says this.
  void refuses(const Names& arguments, int code, const std::string& message) const;

  TemporaryFolder folder_;
  fs::path package_ = folder_ / "package";
};

}  // namespace torchpkg::test
