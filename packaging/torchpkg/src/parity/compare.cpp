// SPDX-License-Identifier: BSD-3-Clause
#include "parity/compare.h"

#include <algorithm>
#include <iterator>

#include "elf/symbol_names.h"

namespace torchpkg {

namespace {

void compare_files(const Inventory& here, const Inventory& there, Comparison& result) {
  for (const auto& [key, sha256] : here.files) {
    FileComparison& files = result.files[key.first];
    const auto other = there.files.find(key);
    if (other == there.files.end()) {
      files.only_here.push_back(key.second);
      continue;
    }
    ++files.both;
    if (other->second != sha256) files.different.push_back(key.second);
  }
  for (const auto& [key, sha256] : there.files) {
    if (here.files.count(key) == 0) result.files[key.first].only_there.push_back(key.second);
  }
}

std::map<std::string, FieldComparison> compare_fields(const WheelFields& here,
                                                      const WheelFields& there) {
  std::map<std::string, FieldComparison> result;
  for (const auto& [field, values] : here) {
    for (const std::string& value : values) {
      const auto other = there.find(field);
      if (other != there.end() && other->second.count(value) != 0) {
        ++result[field].both;
      } else {
        result[field].only_here.push_back(value);
      }
    }
  }
  for (const auto& [field, values] : there) {
    for (const std::string& value : values) {
      const auto other = here.find(field);
      if (other == here.end() || other->second.count(value) == 0) {
        result[field].only_there.push_back(value);
      }
    }
  }
  return result;
}

/// Symbols of `there` that some library here exports go to `moved`.
void sort_out_moved(const Inventory& here, LibraryComparison& library) {
  const auto is_missing = [&here](const std::string& symbol) {
    return std::none_of(here.libraries.begin(), here.libraries.end(), [&symbol](const auto& item) {
      const std::vector<std::string>& symbols = item.second.symbols;
      return std::binary_search(symbols.begin(), symbols.end(), symbol);
    });
  };
  const auto end =
      std::stable_partition(library.missing.begin(), library.missing.end(), is_missing);
  library.moved.assign(end, library.missing.end());
  library.missing.erase(end, library.missing.end());
}

LibraryComparison compare_library(const Inventory& inventory, const InventoryLibrary& here,
                                  const InventoryLibrary& there) {
  LibraryComparison library;
  library.path_here = here.path;
  library.path_there = there.path;
  library.soname_here = here.soname;
  library.soname_there = there.soname;
  library.size_here = here.size;
  library.size_there = there.size;
  for (const auto& [name, size] : here.sections) library.sections[name].first = size;
  for (const auto& [name, size] : there.sections) library.sections[name].second = size;
  std::set_difference(here.symbols.begin(), here.symbols.end(), there.symbols.begin(),
                      there.symbols.end(), std::back_inserter(library.added));
  std::set_difference(there.symbols.begin(), there.symbols.end(), here.symbols.begin(),
                      here.symbols.end(), std::back_inserter(library.missing));
  library.symbols_both = here.symbols.size() - library.added.size();
  sort_out_moved(inventory, library);
  return library;
}

}  // namespace

std::size_t LibraryComparison::missing_api() const {
  return static_cast<std::size_t>(
      std::count_if(missing.begin(), missing.end(),
                    [](const std::string& symbol) { return is_torch_api(symbol); }));
}

Comparison compare(const Inventory& here, const Inventory& there) {
  Comparison result;
  result.reference = there.name;
  result.distribution = there.distribution;
  result.left_out = there.left_out;
  compare_files(here, there, result);
  if (here.wheel && there.wheel) result.fields = compare_fields(*here.wheel, *there.wheel);
  for (const auto& [role, library] : here.libraries) {
    const auto found = there.libraries.find(role);
    if (found == there.libraries.end()) continue;
    result.libraries[role] = compare_library(here, library, found->second);
  }
  return result;
}

}  // namespace torchpkg
