// SPDX-License-Identifier: BSD-3-Clause
#include "zip/tree.h"

#include "common/unpack_limits.h"
#include "zip/format.h"

namespace torchpkg::zip {

namespace {

using Kind = TreeEntry::Kind;

/// Some programs go by the mode and some by the slash at the name's end, so both must agree.
Kind kind_of(const Entry& entry) {
  switch (entry.mode & kTypeMask) {
    case 0:
      return entry.is_folder() ? Kind::kFolder : Kind::kFile;
    case kTypeFolder:
      return entry.is_folder() ? Kind::kFolder : Kind::kOther;
    case kTypeFile:
      return entry.is_folder() ? Kind::kOther : Kind::kFile;
    case kTypeSymlink:
      return entry.is_folder() ? Kind::kOther : Kind::kSymlink;
    default:
      return Kind::kOther;
  }
}

}  // namespace

std::vector<TreeEntry> read_tree(const Reader& reader) {
  std::vector<TreeEntry> tree;
  tree.reserve(reader.entries().size());
  for (const Entry& entry : reader.entries()) {
    TreeEntry found{entry.name, kind_of(entry), {}, entry.size, entry.mode & 07777U};
    if (entry.mode == 0) found.mode = found.kind == Kind::kFolder ? 0755 : 0644;  // no Unix mode
    if (found.kind == Kind::kSymlink) {
      check_text_size(entry.name, entry.size);
      found.target = as_text(reader.content(entry));
    }
    tree.push_back(std::move(found));
  }
  return tree;
}

}  // namespace torchpkg::zip
