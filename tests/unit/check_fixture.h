// SPDX-License-Identifier: BSD-3-Clause
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

/// A copy of a good package for each test, to be broken and checked.
class CheckTest : public testing::Test {
 protected:
  [[nodiscard]] fs::path root() const { return folder_ / "libtorch"; }
  [[nodiscard]] fs::path archive() const { return folder_ / "package.zip"; }

  /// Copies a package here.
  void use(const fs::path& package) const;

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

  static void patchelf(const Names& options, const fs::path& file);
  void change_manifest(const std::function<void(Json&)>& change) const;

  /// Adds a library of that file name to the manifest's list of bundled ones.
  void list_as_bundled(const std::string& file, const std::string& sha256 = "00") const;

  TemporaryFolder folder_;
  Json report_;
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
