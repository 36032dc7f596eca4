// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/file.h"

namespace torchpkg {

/// A file of a package, named relative to the package's root: the top folder of a zip, `torch/` of
/// a wheel, which has the same in it as a libtorch. What lies beside that is `../functorch/...`.
struct PackageFile {
  std::string path;  ///< "lib/libc10.so"
  bool symlink = false;
  std::string target;  ///< of a symlink
  std::uint64_t size = 0;
};

/// The name of a wheel's file, or of what is to lie in site-packages, relative to `torch/`.
std::string relative_to_torch(const std::string& name);

/// The reverse: the name in the wheel.
std::string name_in_wheel(const std::string& path);

/// `path`, which may go out of `torch/` and into it again: `../torch/lib` is `lib`. Normalized.
std::string inside_torch(const std::string& path);

/// A package to look at: a packed one, or the folder that it is made from.
class PackageSource {
 public:
  virtual ~PackageSource() = default;

  /// All files and symlinks, sorted by path; folders are left out.
  [[nodiscard]] virtual const std::vector<PackageFile>& files() const = 0;

  /// Calls `use` with the content of a file; the bytes are valid during the call only.
  /// May be called from several threads. Error: kBadInput, kEnvironment.
  virtual void with_content(std::size_t index, const std::function<void(Bytes)>& use) const = 0;

  /// Whether it is a wheel, or what one is packed from.
  [[nodiscard]] virtual bool is_wheel() const = 0;

  /// Whether it is an archive, for which alone the check of its integrity makes sense.
  [[nodiscard]] virtual bool is_archive() const = 0;

  /// What is wrong with the archive itself, one sentence each. When it is damaged so much that
  /// its files cannot be listed, files() is empty.
  [[nodiscard]] virtual const std::vector<std::string>& archive_problems() const = 0;
};

/// Opens a ZIP file, a wheel (by its suffix), or a folder of either (that of a wheel has torch/ and
/// a *.dist-info). Errors: kBadInput when it is neither (not even a broken ZIP),
/// kEnvironment when it cannot be read.
std::unique_ptr<PackageSource> open_package(const std::filesystem::path& path);

}  // namespace torchpkg
