// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/file.h"
#include "zip/reader.h"

namespace torchpkg::conda {

/// A file in one of the two tars of a conda package.
struct TarEntry {
  enum class Kind { kFile, kFolder, kSymlink, kHardLink, kOther };

  std::string path;  ///< word for word; it may be hostile
  Kind kind = Kind::kFile;
  std::string target;  ///< of a link
  std::uint64_t size = 0;
  bool executable = false;
};

/// Reads a conda package of format 2 that lies in memory (or is mapped).
class PackageReader {
 public:
  enum class Part { kInfo, kFiles };
  /// Reads the content of an entry, which is otherwise skipped. To be called at most once.
  using Content = std::function<std::vector<std::uint8_t>()>;
  using Visit = std::function<void(const TarEntry&, const Content&)>;

  /// `package` must outlive the reader. Error: kBadInput, saying what is wrong, when it is not
  /// a ZIP file with metadata.json (version 2), info-<stem>.tar.zst and pkg-<stem>.tar.zst.
  explicit PackageReader(Bytes package);

  /// The name in the names of the two tars: "libtorch-9.9.0-cpu_mkl_h0123456_0".
  [[nodiscard]] const std::string& stem() const { return stem_; }

  /// Calls `visit` for every entry, in order. `Content` is valid during the call only.
  /// Error: kBadInput for a damaged tar or checksum; what `visit` throws.
  void for_each(Part part, const Visit& visit) const;

 private:
  [[nodiscard]] Bytes tar_of(Part part) const;

  zip::Reader zip_;
  std::string stem_;
};

}  // namespace torchpkg::conda
