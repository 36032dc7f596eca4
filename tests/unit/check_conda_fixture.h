// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support.h"
#include "zip/entry_list.h"

namespace torchpkg::test {

/// A package of one's own making, so that it can be wrong: the files of info/, and those of the
/// prefix as entries.
class CondaPackageTest : public testing::Test {
 protected:
  using Json = nlohmann::json;
  using Words = std::vector<std::string>;
  using Entry = zip::SourceEntry;

  static Entry file(const std::string& name, const std::string& text);
  static Entry link(const std::string& name, const std::string& target);
  static Json path_of(const Entry& entry);

  /// A tar of these entries, compressed.
  static std::string tar_of(const std::vector<Entry>& from);

  /// Lists the entries in paths.json and files, as they are now.
  void list_entries();

  /// index.json of a package with these match specs.
  void depend_on(const Words& specs);

  /// Packs and checks.
  CommandResult check(const Words& more = {});

  /// Checks a package in which `text` must be found wrong.
  void expect_found(const std::string& text);

  /// The same, with nothing wrong in any other row.
  void expect_found_in(const std::string& row, const std::string& text);

  std::string folder = "packages";
  std::string name = "demo-1.0-h0_0.conda";
  std::vector<Entry> entries;
  std::map<std::string, std::string> info;  ///< empty text: not there
  Json paths = Json::array();
  std::string files_tar;  ///< in the place of one made of the entries; empty: that one
  TemporaryFolder folder_;

 private:
  void write() const;
};

}  // namespace torchpkg::test
