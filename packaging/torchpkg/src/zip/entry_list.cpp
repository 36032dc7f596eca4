// SPDX-License-Identifier: BSD-3-Clause
#include "zip/entry_list.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "common/error.h"
#include "common/text.h"

namespace torchpkg::zip {

namespace fs = std::filesystem;

namespace {

constexpr const char* kKeepInside = "make it a relative link to something inside";

std::string link_target(const fs::path& path, const std::string& name) {
  std::error_code error;
  const fs::path target = fs::read_symlink(path, error);
  if (error) throw system_error(path.string() + " cannot be read", error.value());
  if (target.is_absolute()) {
    throw Error(ExitCode::kBadInput,
                path.string() + " is a symlink to the absolute path " + target.string(),
                kKeepInside);
  }
  // Resolved by name, below the top folder that every entry has.
  const fs::path resolved = (fs::path(name).parent_path() / target).lexically_normal();
  if (*resolved.begin() != *fs::path(name).begin()) {
    throw Error(ExitCode::kBadInput,
                path.string() + " is a symlink that leaves the package: " + target.string(),
                kKeepInside);
  }
  return target.string();
}

SourceEntry make_entry(const fs::path& path, const std::string& name) {
  if (printable(name) != name) {
    throw Error(ExitCode::kBadInput,
                printable(path.string()) + " has a name that is not UTF-8 or not printable",
                "give it another name");
  }
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    throw system_error(path.string() + " cannot be read", errno);
  }
  SourceEntry entry;
  entry.name = name;
  entry.path = path;
  if (S_ISDIR(status.st_mode)) {
    entry.kind = SourceEntry::Kind::kFolder;
    entry.name += '/';
  } else if (S_ISREG(status.st_mode)) {
    entry.size = static_cast<std::uint64_t>(status.st_size);
    entry.executable = (status.st_mode & 0111) != 0;
  } else if (S_ISLNK(status.st_mode)) {
    entry.kind = SourceEntry::Kind::kSymlink;
    entry.text = link_target(path, name);
    entry.size = entry.text.size();
  } else {
    throw Error(ExitCode::kBadInput, path.string() + " is neither file, folder nor symlink",
                "remove it from the folder that is packed");
  }
  if (entry.name.size() > 0xffff) {
    throw Error(ExitCode::kBadInput, path.string() + " has a name too long for a zip",
                "shorten it");
  }
  return entry;
}

}  // namespace

std::vector<SourceEntry> list_entries(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw Error(ExitCode::kEnvironment, folder.string() + " is not a folder", "check --root");
  }
  const fs::path root = fs::canonical(folder);  // it may be a link
  const std::string top = root.filename().string();
  std::vector<SourceEntry> entries;
  entries.push_back(make_entry(root, top));
  std::error_code error;
  fs::recursive_directory_iterator walk(root, error);
  for (const auto end = fs::end(walk); !error && walk != end; walk.increment(error)) {
    const std::string name = top + "/" + walk->path().lexically_relative(root).generic_string();
    entries.push_back(make_entry(walk->path(), name));
  }
  if (error) throw system_error(root.string() + " cannot be listed", error.value());
  std::sort(entries.begin(), entries.end(),
            [](const SourceEntry& a, const SourceEntry& b) { return a.name < b.name; });
  return entries;
}

}  // namespace torchpkg::zip
