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

/// A conda package that can be wrong: the files of info/, and those of the prefix as entries. Those
/// of the sample package are laid out as ours are.
class CondaPackageTest : public testing::Test {
 protected:
  using Json = nlohmann::json;
  using Words = std::vector<std::string>;
  using Entry = zip::SourceEntry;

  /// What the sample's libraries ask for on any machine.
  static const Words kHost;

  /// The sample package as the package libtorch, with libgomp from another package.
  void use_libtorch();

  /// The same without libraries, as the package pytorch for Python 3.11.
  void use_pytorch();

  static Entry file(const std::string& name, const std::string& text);
  static Entry link(const std::string& name, const std::string& target);
  static Json path_of(const Entry& entry);

  /// A tar of these entries, compressed.
  static std::string tar_of(const std::vector<Entry>& from);

  /// Lists the entries in paths.json and files, as they are now.
  void list_entries();

  /// Adds an entry instead of one of that name.
  void put(const Entry& entry);
  void remove(const std::string& path);
  void put_manifest() { put(file(home + "manifest.json", manifest.dump())); }

  /// index.json of a package with these match specs.
  void depend_on(const Words& specs);

  /// Packs and checks; the report is written to `report_`.
  CommandResult check(const Words& more = {});

  /// Checks a package in which `text` must be found wrong.
  void expect_found(const std::string& text);

  /// The same in one row, with nothing wrong in any other.
  void expect_found_in(const std::string& row, const std::string& text);

  /// The row of a name.
  Json row(const std::string& wanted);

  std::string home;  ///< the folder of manifest.json
  Json manifest;
  std::string folder = "packages";
  std::string name = "demo-1.0-h0_0.conda";
  std::vector<Entry> entries;
  std::map<std::string, std::string> info;  ///< empty text: not there
  Json paths = Json::array();
  std::string files_tar;       ///< instead of one made of the entries; empty: that one
  std::string info_tar;        ///< the same for info
  std::vector<Entry> billed_;  ///< what the bills of materials name; empty: the entries
  TemporaryFolder folder_;
  const fs::path report_ = folder_ / "report.json";

 private:
  void lay_out(bool libraries, const std::string& other_files);
  [[nodiscard]] std::vector<Entry> bills() const;
  void write(const std::vector<Entry>& all) const;
};

}  // namespace torchpkg::test
