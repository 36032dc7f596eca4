// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include "changes.h"

namespace torchpkg::test {

/// Whether a text is as a pattern says, in which `*` stands for any text.
bool is_like(std::string_view text, std::string_view pattern);

/// A copy of a good package for each test, to be broken and checked.
class CheckTest : public testing::Test {
 protected:
  [[nodiscard]] fs::path root() const { return folder_ / top_; }
  [[nodiscard]] fs::path archive() const { return folder_ / "package.zip"; }

  /// Copies a package here.
  virtual void use(const fs::path& package);

  void pack() const;

  /// Checks a package and returns the rows that failed; also looks at the exit code.
  Names failed(const fs::path& package, Names options = {});

  /// Packs what is there and checks it.
  Names failed_when_packed(const Names& options = {});

  /// What the last report says about a row.
  [[nodiscard]] std::string first_detail(const std::string& name) const;
  [[nodiscard]] std::string verdict(const std::string& name) const;
  [[nodiscard]] std::string found(const std::string& name) const;

  /// Expects that one row failed, and what it says first; of a check of root() by default.
  void expect_fault(const std::string& name, const std::string& detail) {
    expect_fault(failed(root()), name, detail);
  }
  void expect_fault(const Names& failed_rows, const std::string& name,
                    const std::string& detail) const;

  /// The bundled and renamed library of the sample.
  [[nodiscard]] fs::path helper() const;

  void change(const std::vector<Change>& changes) const {
    for (const Change& one : changes) one(root());
  }

  /// Checks a copy with these changes, packed if `packed_`. `rows`: all that must fail, with spaces
  /// between them. `words`: the first detail of one of them; `*` stands for any text.
  void broken(const std::string& name, const std::vector<Change>& changes, const std::string& rows,
              const std::string& words = "*");

  /// The same with a change that does no harm.
  void good(const std::string& name, const std::vector<Change>& changes) {
    broken(name, changes, "");
  }

  TemporaryFolder folder_;
  std::string top_ = "libtorch";
  Json report_;
  bool packed_ = false;
  Names options_;            ///< for `broken`
  bool keep_bills_ = false;  ///< else the bills are made anew before something is packed or checked

 private:
  [[nodiscard]] Json row(const std::string& name) const;
};

/// The same, with the shared sample package.
class SharedCheckTest : public CheckTest {
 protected:
  void SetUp() override;
};

}  // namespace torchpkg::test
