// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/file.h"
#include "common/tree.h"
#include "zip/reader.h"

namespace torchpkg::conda {

/// Reads a conda package of format 2 that lies in memory (or is mapped).
class PackageReader {
 public:
  enum class Part { kInfo, kFiles };
  /// Reads the content of an entry, which is otherwise skipped. To be called at most once.
  using Content = std::function<std::vector<std::uint8_t>()>;
  using Visit = std::function<void(const TreeEntry&, const Content&)>;

  /// `package` must outlive the reader. Error: kBadInput, saying what is wrong, when it is not
  /// a ZIP file with metadata.json (version 2), info-<stem>.tar.zst and pkg-<stem>.tar.zst;
  /// TooLarge.
  explicit PackageReader(Bytes package);

  /// What is wrong with the ZIP file around the tars, one sentence each.
  [[nodiscard]] std::vector<std::string> zip_problems() const;

  /// The name in the names of the two tars: "libtorch-9.9.0-cpu_mkl_h0123456_0".
  [[nodiscard]] const std::string& stem() const { return stem_; }

  /// Calls `visit` for every entry, in order. `Content` is valid during the call only.
  /// Errors: kBadInput for a damaged tar or checksum; TooLarge; what `visit` throws.
  void for_each(Part part, const Visit& visit) const;

 private:
  [[nodiscard]] Bytes tar_of(Part part) const;

  zip::Reader zip_;
  std::string stem_;
};

}  // namespace torchpkg::conda
