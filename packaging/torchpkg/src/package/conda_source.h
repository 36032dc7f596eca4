// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conda/package_reader.h"
#include "package/package_source.h"

namespace torchpkg {

/// A packed conda package (format 2): the files of the prefix and info/. Its tars are streams: they
/// are read once to list the files, and once more, by one thread, for read_files(), with one file
/// in memory at a time.
class CondaSource : public PackageSource {
 public:
  /// Errors: kBadInput when it is not a ZIP file, TooLarge, kEnvironment when it cannot be read.
  explicit CondaSource(const std::filesystem::path& path);

  [[nodiscard]] std::optional<std::string> manifest() const override;
  [[nodiscard]] std::string stem() const override;

 private:
  [[nodiscard]] std::vector<std::string> read_all(unsigned jobs, const Visit& visit) const override;
  void list(conda::PackageReader::Part part, std::vector<TreeEntry>& tree);

  MappedFile mapped_;
  std::optional<conda::PackageReader> reader_;
  std::map<std::string, std::string> manifests_;  ///< by path
};

}  // namespace torchpkg
