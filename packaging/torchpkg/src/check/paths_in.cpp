// SPDX-License-Identifier: BSD-3-Clause
#include "check/paths_in.h"

#include <string.h>

#include <cctype>
#include <string_view>

namespace torchpkg {

namespace {

bool is_part_of_name(std::uint8_t byte) {
  return std::isalnum(byte) != 0 || byte == '_' || byte == '-' || byte == '.';
}

/// Whether what stands before `at` makes it the end of a longer path: the `/src` of `/usr/src`, but
/// not that of `-I/src`.
bool ends_longer_path(Bytes bytes, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && is_part_of_name(bytes[begin - 1])) --begin;
  return begin < at && begin > 0 && bytes[begin - 1] == '/';
}

/// Whether a path stands in `bytes`, as a whole: `/home/builder` is not in `/home/builders`.
bool contains_path(Bytes bytes, std::string_view path) {
  while (!path.empty() && path.ends_with('/')) path.remove_suffix(1);
  std::size_t from = 0;
  while (!path.empty() && bytes.size() - from >= path.size()) {
    const Bytes rest = bytes.subspan(from);
    const void* found = ::memmem(rest.data(), rest.size(), path.data(), path.size());
    if (found == nullptr) return false;
    const auto at =
        static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - bytes.data());
    from = at + path.size();
    const bool goes_on = from < bytes.size() && is_part_of_name(bytes[from]);
    if (!goes_on && !ends_longer_path(bytes, at)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> paths_in(Bytes bytes, const std::vector<std::string>& paths) {
  std::vector<std::string> found;
  for (const std::string& path : paths) {
    if (contains_path(bytes, path)) found.push_back(path);
  }
  return found;
}

}  // namespace torchpkg
