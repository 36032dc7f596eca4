// SPDX-License-Identifier: BSD-3-Clause
#include "zip/entry_list.h"

#include <algorithm>
#include <utility>

#include "common/error.h"
#include "common/text.h"

namespace torchpkg::zip {

namespace fs = std::filesystem;

namespace {

SourceEntry to_source(TreeEntry entry, const fs::path& path) {
  SourceEntry source;
  source.name = std::move(entry.name);
  source.path = path;
  source.size = entry.size;
  source.executable = (entry.mode & 0111U) != 0;
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

std::vector<SourceEntry> list_entries(const fs::path& folder, TreeRules rules) {
  if (!fs::is_directory(folder)) {
    throw Error(ExitCode::kEnvironment, folder.string() + " is not a folder", "check --root");
  }
  const fs::path root = fs::canonical(folder);  // it may be a link
  const std::string top = root.filename().string();
  std::vector<TreeEntry> tree = list_tree(root);
  std::vector<fs::path> paths;
  paths.reserve(tree.size() + 1);
  for (TreeEntry& entry : tree) {
    paths.push_back(root / entry.name);
    if (rules.one_top) entry.name.insert(0, top + "/");
  }
  if (rules.one_top) {
    tree.push_back({top, TreeEntry::Kind::kFolder, {}, 0, 0755});
    paths.push_back(root);
  }
  const std::vector<std::string> wrong = tree_problems(tree, rules);
  if (!wrong.empty()) {
    throw Error(ExitCode::kBadInput, printable(root.string()) + ": " + join_some(wrong, 3),
                "change that in the folder: no check would let it pass");
  }
  std::vector<SourceEntry> entries;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    entries.push_back(to_source(std::move(tree[i]), paths[i]));
  }
  std::sort(entries.begin(), entries.end(),
            [](const SourceEntry& a, const SourceEntry& b) { return a.name < b.name; });
  return entries;
}

}  // namespace torchpkg::zip
