// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include "changes.h"

namespace torchpkg::test {

/// A copy of a good package for each test, to be broken and checked.
class CheckTest : public testing::Test {
 protected:
  /// By default the shared sample package.
  void SetUp() override;

  [[nodiscard]] fs::path root() const { return folder_ / "libtorch"; }

  /// Copies a package here.
  void use(const fs::path& package) const;

  void change(const std::vector<Change>& changes) const {
    for (const Change& one : changes) one(root());
  }

  /// Checks the package and returns the rows that failed, with blanks between them.
  std::string failed();

  /// A row of the last report.
  [[nodiscard]] Json row(const std::string& name) const;

  /// Checks a copy with these changes. `rows`: all that must fail, with blanks between them.
  /// `words`: the first detail of one of them; `*` stands for any text.
  void broken(const std::string& name, const std::vector<Change>& changes, const std::string& rows,
              const std::string& words = "*");

  /// The same with a change that does no harm.
  void good(const std::string& name, const std::vector<Change>& changes) {
    broken(name, changes, "");
  }

  TemporaryFolder folder_;
  Names options_;  ///< of `torchpkg check`
  Json report_;
};

}  // namespace torchpkg::test
