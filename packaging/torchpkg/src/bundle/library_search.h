// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace torchpkg {

/// Finds shared libraries as the loader would: given folders first, then the system's loader
/// cache and standard folders. Files for another machine are passed over.
class LibrarySearch {
 public:
  explicit LibrarySearch(std::vector<std::filesystem::path> folders);

  /// The file behind `name` (symlinks resolved) for a machine as ElfImage::machine() calls it.
  std::optional<std::filesystem::path> find(const std::string& name, const std::string& machine,
                                            int bits);

 private:
  void read_system_cache();

  std::vector<std::filesystem::path> folders_;
  std::multimap<std::string, std::filesystem::path> cache_;
  bool cache_read_ = false;
};

}  // namespace torchpkg
