// SPDX-License-Identifier: BSD-3-Clause
#include "zip/entry_list.h"

#include <algorithm>
#include <utility>

#include "common/error.h"
#include "common/tree.h"

namespace torchpkg::zip {

namespace fs = std::filesystem;

namespace {

SourceEntry to_source(TreeEntry entry, const fs::path& root) {
  SourceEntry source;
  source.path = root / entry.name;
  source.name = std::move(entry.name);
  source.size = entry.size;
  source.executable = entry.executable;
  if (entry.kind == TreeEntry::Kind::kFolder) {
    source.kind = SourceEntry::Kind::kFolder;
    source.name += '/';
  } else if (entry.kind == TreeEntry::Kind::kSymlink) {
    source.kind = SourceEntry::Kind::kSymlink;
    source.text = std::move(entry.target);
    source.size = source.text.size();
  }
  return source;
}

}  // namespace

std::vector<SourceEntry> list_entries(const fs::path& folder, bool top) {
  const fs::path root = fs::canonical(folder);  // it may be a link
  const std::string begin = top ? root.filename().string() + "/" : "";
  std::vector<SourceEntry> entries;
  for (TreeEntry& entry : list_tree(root)) {
    if (entry.target.starts_with('/')) {
      throw Error(
          ExitCode::kBadInput,
          (root / entry.name).string() + " is a symlink to the absolute path " + entry.target,
          "make it relative: the archive is unpacked elsewhere");
    }
    entries.push_back(to_source(std::move(entry), root));
    entries.back().name.insert(0, begin);
  }
  if (top) {
    SourceEntry folder_entry;
    folder_entry.name = begin;
    folder_entry.path = root;
    folder_entry.kind = SourceEntry::Kind::kFolder;
    entries.push_back(std::move(folder_entry));
  }
  std::sort(entries.begin(), entries.end(),
            [](const SourceEntry& a, const SourceEntry& b) { return a.name < b.name; });
  return entries;
}

}  // namespace torchpkg::zip
