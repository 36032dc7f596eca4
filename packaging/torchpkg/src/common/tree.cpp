// SPDX-License-Identifier: BSD-3-Clause
#include "common/tree.h"

#include <sys/stat.h>

#include <algorithm>
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

std::vector<fs::path> list_files(const std::vector<fs::path>& paths) {
  std::vector<fs::path> files;
  for (const fs::path& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    std::error_code error;
    fs::recursive_directory_iterator walk(path, error);
    for (const auto end = fs::end(walk); !error && walk != end; walk.increment(error)) {
      if (!walk->is_symlink() && walk->is_regular_file()) files.push_back(walk->path());
    }
    if (error) throw system_error(path.string() + " cannot be listed", error.value());
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace torchpkg
