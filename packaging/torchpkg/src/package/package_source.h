// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/file.h"
#include "common/tree.h"

namespace torchpkg {

/// A file of a package, named relative to the package's root: the top folder of a zip, the prefix
/// of a conda package, `torch/` of a wheel, which has the same in it as a libtorch. What lies
/// beside that is `../functorch/...`.
struct PackageFile {
  std::string path;  ///< "lib/libc10.so"
  bool symlink = false;
  std::string target;  ///< of a symlink
  std::uint64_t size = 0;
  std::size_t entry = 0;  ///< its number in the archive's list
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
  enum class Kind { kLibtorch, kWheel, kConda };
  using Visit = std::function<void(std::size_t index, Bytes content)>;

  virtual ~PackageSource() = default;

  /// All files and symlinks, sorted by path; folders are left out.
  [[nodiscard]] const std::vector<PackageFile>& files() const { return files_; }

  /// What lies in the root of the archive or folder, also folders in which nothing lies.
  [[nodiscard]] const std::set<std::string>& tops() const { return tops_; }

  [[nodiscard]] Kind kind() const { return kind_; }

  /// Whether it is an archive, for which alone the check of its integrity makes sense.
  [[nodiscard]] bool is_archive() const { return is_archive_; }

  /// What is wrong with the archive itself, or the tree of a folder, one sentence each. When it is
  /// damaged so much that its files cannot be listed, files() is empty.
  [[nodiscard]] const std::vector<std::string>& archive_problems() const { return problems_; }

  /// The folders, "" or ending in a slash, that have what lies in the root of a zip, the first one
  /// the manifest. A conda package has one besides "".
  [[nodiscard]] const std::vector<std::string>& roots() const { return roots_; }

  /// The text of manifest.json; nothing without one. Error: kBadInput for a damaged archive.
  [[nodiscard]] virtual std::optional<std::string> manifest() const = 0;

  /// For a packed conda package: the name in the names of its two tars.
  [[nodiscard]] virtual std::string stem() const { return {}; }

  /// Calls `visit` with the content of each file that is not a symlink, from up to `jobs` threads
  /// (0: as many as processors); the bytes are valid during the call only. Returns what could not
  /// be read (kBadInput, also of `visit`), one sentence each. Where archive_problems() has
  /// something, nothing is read. Error: kEnvironment.
  [[nodiscard]] std::vector<std::string> read_files(unsigned jobs, const Visit& visit) const {
    return problems_.empty() ? read_all(jobs, visit) : std::vector<std::string>();
  }

 protected:
  PackageSource(Kind kind, bool is_archive) : kind_(kind), is_archive_(is_archive) {}

  /// Lists the files of a tree, sorted, with what is wrong with it, and finds out what roots()
  /// says.
  void finish_list(const std::vector<TreeEntry>& tree);

  [[nodiscard]] virtual std::vector<std::string> read_all(unsigned jobs,
                                                          const Visit& visit) const = 0;

  [[nodiscard]] std::optional<std::size_t> find(const std::string& path) const;

  /// Nothing without one. Error: TooLarge.
  [[nodiscard]] std::optional<std::size_t> find_manifest() const;

  Kind kind_;
  bool is_archive_;
  std::vector<PackageFile> files_;
  std::set<std::string> tops_;
  std::vector<std::string> problems_;
  std::vector<std::string> roots_{""};
};

/// Opens a ZIP file, a wheel or a conda package (by their suffixes), or a folder of one of these
/// (that of a wheel has torch/ and a *.dist-info, that of a conda package info/index.json).
/// Errors: kBadInput when it is none of these (not even a broken ZIP), TooLarge, kEnvironment when
/// it cannot be read.
std::unique_ptr<PackageSource> open_package(const std::filesystem::path& path);

}  // namespace torchpkg
