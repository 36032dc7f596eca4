// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parity/inventory.h"

namespace torchpkg {

/// The files of one kind.
struct FileComparison {
  std::size_t both = 0;
  std::vector<std::string> only_here;  ///< roles
  std::vector<std::string> only_there;
  std::vector<std::string> different;  ///< roles of those in both with other content
};

/// The values of a wheel's field.
struct FieldComparison {
  std::size_t both = 0;
  std::vector<std::string> only_here;
  std::vector<std::string> only_there;
};

/// A library or extension module that both packages have.
struct LibraryComparison {
  std::string path_here;
  std::string path_there;
  std::string soname_here;
  std::string soname_there;
  std::uint64_t size_here = 0;
  std::uint64_t size_there = 0;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> sections;  ///< here, there
  std::size_t symbols_both = 0;
  std::vector<std::string> added;    ///< exported here, not there
  std::vector<std::string> moved;    ///< exported there, and here by another library
  std::vector<std::string> missing;  ///< exported there, and by no library here

  /// How many of the missing ones are of libtorch's own interface, see is_torch_api().
  [[nodiscard]] std::size_t missing_api() const;
};

/// How a package differs from another one, the reference.
struct Comparison {
  std::string reference;
  bool distribution = false;
  std::size_t left_out = 0;
  std::map<FileKind, FileComparison> files;
  std::map<std::string, LibraryComparison> libraries;            ///< by role
  std::optional<std::map<std::string, FieldComparison>> fields;  ///< when both are wheels
};

Comparison compare(const Inventory& here, const Inventory& there);

}  // namespace torchpkg
