// SPDX-License-Identifier: BSD-3-Clause
#include "common/tree.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>
#include <system_error>

#include "common/error.h"
#include "common/text.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

using Kind = TreeEntry::Kind;

// More than any package has. They bound what a hostile one costs.
constexpr std::size_t kLongestName = 1024;
constexpr std::size_t kMostParts = 64;
constexpr unsigned kMostHops = 16;

/// The folder that a name lies in; empty without one.
std::string_view folder_of(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return name.substr(0, slash == std::string_view::npos ? 0 : slash);
}

std::string_view without_slash(const TreeEntry& entry) {
  std::string_view name = entry.name;
  if (entry.kind == Kind::kFolder && name.ends_with('/')) name.remove_suffix(1);
  return name;
}

class Tree {
 public:
  Tree(const std::vector<TreeEntry>& entries, TreeRules rules) : rules_(rules) {
    for (const TreeEntry& entry : entries) add(entry);
    for (const TreeEntry* entry : added_) look_at(*entry);
    for (const TreeEntry* entry : added_) {
      if (entry->kind == Kind::kSymlink) look_at_link(*entry);
    }
  }

  std::vector<std::string> problems;

 private:
  void add(const TreeEntry& entry) {
    const std::string_view name = without_slash(entry);
    std::string wrong = name_problem(name);
    if (!wrong.empty()) return problems.push_back(std::move(wrong));
    const std::string_view top = name.substr(0, name.find('/'));
    const bool in_top = top != name || entry.kind == Kind::kFolder;
    if (top_.empty() && in_top) top_ = top;
    if (rules_.one_top && (!in_top || top != top_)) {
      problems.push_back(fmt::format("{} is not in the top folder", name));
    } else if (!known_.emplace(name, &entry).second) {
      problems.push_back(fmt::format("{} is there twice", name));
    } else {
      added_.push_back(&entry);
    }
  }

  void look_at(const TreeEntry& entry) {
    const std::string_view name = without_slash(entry);
    if (entry.kind == Kind::kOther) {
      problems.push_back(fmt::format("{} is neither file, folder nor symlink", name));
    }
    if (entry.kind != Kind::kSymlink && (entry.mode & 07000U) != 0) {
      problems.push_back(
          fmt::format("{} has the mode {:o}: setuid, setgid or sticky", name, entry.mode & 07777U));
    }
    const bool folder = entry.kind == Kind::kFolder;
    const unsigned read = folder ? 0555U : 0444U;
    if ((folder || entry.kind == Kind::kFile) &&
        ((entry.mode & read) != read || (entry.mode & 0002U) != 0)) {
      problems.push_back(
          fmt::format("{} has the mode {:o}: all can write it, or not all can read it", name,
                      entry.mode & 07777U));
    }
    add_folders_of(name);
  }

  /// Folders need not be entries: something lies in them.
  void add_folders_of(std::string_view name) {
    for (std::string_view folder = folder_of(name); !folder.empty(); folder = folder_of(name)) {
      const auto [found, is_new] = known_.emplace(folder, nullptr);
      const TreeEntry* entry = found->second;
      if (entry != nullptr && entry->kind != Kind::kFolder) {
        problems.push_back(fmt::format("{} lies in {}, which is a {}", name, folder,
                                       entry->kind == Kind::kSymlink ? "symlink" : "file"));
      }
      if (!is_new) return;
      name = folder;
    }
  }

  void look_at_link(const TreeEntry& link) {
    const std::string wrong = link_problem(link);
    if (wrong.empty()) return;
    problems.push_back(
        fmt::format("{} is a symlink to {}, {}", link.name, printable(link.target), wrong));
  }

  /// Goes where a link leads, part by part, through other links. What is wrong on the way.
  [[nodiscard]] std::string link_problem(const TreeEntry& link) const {
    const std::string top = rules_.one_top ? top_ : "";
    std::string place(folder_of(link.name));
    std::vector<std::string> ahead;  // the next part last
    std::string wrong = go_on(link, ahead);
    bool missing = false;
    for (unsigned hops = 0; wrong.empty() && !ahead.empty();) {
      const std::string part = std::move(ahead.back());
      ahead.pop_back();
      if (part == ".") continue;
      if (part == "..") {
        if (place == top) return "outside the package";
        if (missing) return "through a folder that is missing";
        place.resize(folder_of(place).size());
        continue;
      }
      const std::string folder = place;
      place += (place.empty() ? "" : "/") + part;
      if (place.size() > kLongestName) return "which is missing";
      const auto found = known_.find(place);
      missing = found == known_.end();
      const TreeEntry* entry = missing ? nullptr : found->second;
      if (entry == nullptr || entry->kind == Kind::kFolder) continue;
      if (entry->kind != Kind::kSymlink) {
        if (!ahead.empty()) return "through a file";
        continue;
      }
      if (++hops > kMostHops) return fmt::format("in a circle, or through over {} links", hops - 1);
      wrong = go_on(*entry, ahead);
      place = folder;
    }
    if (!wrong.empty()) return wrong;
    return missing && !rules_.links_may_dangle ? "which is missing" : "";
  }

  /// Puts the parts of a link's target before what is ahead.
  static std::string go_on(const TreeEntry& link, std::vector<std::string>& ahead) {
    if (link.target.empty() || link.target.size() > kLongestName ||
        printable(link.target) != link.target) {
      return "which is not a path";
    }
    if (link.target.starts_with('/')) return "an absolute path";
    std::vector<std::string> parts = split(link.target, '/');
    std::move(parts.rbegin(), parts.rend(), std::back_inserter(ahead));
    return {};
  }

  TreeRules rules_;
  std::string top_;
  std::map<std::string, const TreeEntry*> known_;  ///< null: a folder without an entry
  std::vector<const TreeEntry*> added_;
};

}  // namespace

std::string name_problem(std::string_view name) {
  const std::string shown = printable(name.substr(0, kLongestName));
  if (name.empty()) return "an entry has no name";
  if (name.size() > kLongestName) {
    return fmt::format("{}... has a name of {} bytes; {} are the limit", shown.substr(0, 40),
                       name.size(), kLongestName);
  }
  if (shown != name) return shown + " has a name that is not UTF-8 or not printable";
  if (name.starts_with('/')) return shown + " has an absolute name";
  if (name.find('\\') != std::string_view::npos) return shown + " has a backslash in its name";
  const std::string slashed = fmt::format("/{}/", name);
  if (slashed.find("/../") != std::string::npos) return shown + " has .. in its name";
  if (slashed.find("/./") != std::string::npos || slashed.find("//") != std::string::npos) {
    return shown + " has . or nothing between two slashes of its name";
  }
  if (static_cast<std::size_t>(std::count(name.begin(), name.end(), '/')) >= kMostParts) {
    return fmt::format("{} lies deeper than {} folders", shown, kMostParts);
  }
  return {};
}

std::vector<std::string> tree_problems(const std::vector<TreeEntry>& entries, TreeRules rules) {
  return Tree(entries, rules).problems;
}

std::vector<TreeEntry> list_tree(const fs::path& folder) {
  std::vector<TreeEntry> entries;
  std::error_code error;
  fs::recursive_directory_iterator walk(folder, error);
  for (const auto end = fs::end(walk); !error && walk != end; walk.increment(error)) {
    const fs::path& path = walk->path();
    TreeEntry entry{path.lexically_relative(folder).generic_string(), Kind::kOther};
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
      throw system_error(path.string() + " cannot be read", errno);
    }
    entry.mode = status.st_mode & 07777U;
    if (S_ISREG(status.st_mode)) {
      entry.kind = Kind::kFile;
      // What packers make of it; the rest is the umask of whoever made the folder.
      entry.mode = (entry.mode & 07000U) | ((entry.mode & 0111U) != 0 ? 0755U : 0644U);
      entry.size = static_cast<std::uint64_t>(status.st_size);
    } else if (S_ISDIR(status.st_mode)) {
      entry.kind = Kind::kFolder;
      entry.mode = 0755;  // folders may inherit setgid, and no packer takes it
    } else if (S_ISLNK(status.st_mode)) {
      entry.kind = Kind::kSymlink;
      entry.target = fs::read_symlink(path, error).string();
      if (error) throw system_error(path.string() + " cannot be read", error.value());
    }
    entries.push_back(std::move(entry));
  }
  if (error) throw system_error(folder.string() + " cannot be listed", error.value());
  return entries;
}

}  // namespace torchpkg
