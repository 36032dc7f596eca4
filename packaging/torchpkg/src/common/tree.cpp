// SPDX-License-Identifier: BSD-3-Clause
#include "common/tree.h"

#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "common/error.h"

namespace torchpkg {

namespace fs = std::filesystem;

std::vector<TreeEntry> list_tree(const fs::path& folder) {
  std::vector<TreeEntry> entries;
  std::error_code error;
  fs::recursive_directory_iterator walk(folder, error);
  for (const auto end = fs::end(walk); !error && walk != end; walk.increment(error)) {
    const fs::path& path = walk->path();
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
      throw system_error(path.string() + " cannot be read", errno);
    }
    TreeEntry entry{path.lexically_relative(folder).generic_string()};
    if (S_ISREG(status.st_mode)) {
      entry.size = static_cast<std::uint64_t>(status.st_size);
      entry.executable = (status.st_mode & 0111U) != 0;
    } else if (S_ISDIR(status.st_mode)) {
      entry.kind = TreeEntry::Kind::kFolder;
    } else if (S_ISLNK(status.st_mode)) {
      entry.kind = TreeEntry::Kind::kSymlink;
      entry.target = fs::read_symlink(path, error).string();
      if (error) throw system_error(path.string() + " cannot be read", error.value());
    } else {
      throw Error(ExitCode::kBadInput, path.string() + " is neither a file, a folder nor a symlink",
                  "remove it");
    }
    entries.push_back(std::move(entry));
  }
  if (error) throw system_error(folder.string() + " cannot be listed", error.value());
  return entries;
}

}  // namespace torchpkg
