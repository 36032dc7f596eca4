// SPDX-License-Identifier: BSD-3-Clause
#include "archive/linked_objects.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "common/error.h"
#include "common/interrupt.h"
#include "common/parallel.h"
#include "common/text.h"
#include "elf/ar_archive.h"
#include "elf/elf_image.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

/// A static library of the link.
struct Library {
  Library(Bytes bytes, const fs::path& file) : path(file.string()), archive(bytes, path) {
    for (std::size_t i = 0; i < archive.members().size(); ++i) {
      by_name[archive.members()[i].name].push_back(i);
    }
  }

  std::string path;
  ArArchive archive;
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_name;
};

/// A line of the trace that names a member.
struct TracedMember {
  const Library* library = nullptr;
  std::string_view name;
  std::size_t index = 0;
};

class TraceReader {
 public:
  TraceReader(const LinkTrace& trace, unsigned jobs) : trace_(trace), jobs_(jobs) {}

  LinkedObjects read(const std::vector<fs::path>& beside) {
    for (const std::string& line : split(trace_.text, '\n')) read_line(line);
    find_members();
    add_members();
    read_symbols();
    leave_out_what_is_in(beside);
    if (result_.entries.empty()) {
      throw Error(ExitCode::kBadInput, "the link command does not name any object",
                  "give the command that links the shared library");
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_named(const std::string& path) const {
    return trace_.command.find(path) != std::string::npos;
  }

  /// `x.o`, `libx.a`, or `(libx.a)member.o`.
  void read_line(const std::string& line) {
    const std::size_t close = line.rfind(')');
    if (line.starts_with('(') && close != std::string::npos) {
      const std::string library = line.substr(1, close - 1);
      if (libraries_.count(library) != 0 || is_named(library)) {
        note_member(open_library(library), line.substr(close + 1));
      }
    } else if (line.ends_with(".a") && is_named(line)) {
      open_library(line);
    } else if (line.ends_with(".o") && is_named(line)) {
      const fs::path path = trace_.directory / line;
      result_.entries.push_back({path.filename().string(), map(path), {}});
      labels_.push_back(path.string());
      ++result_.objects;
    }
  }

  Bytes map(const fs::path& path) {
    std::error_code error;
    if (!fs::exists(path, error)) {
      throw Error(ExitCode::kBadInput, path.string() + " is missing", "build it first");
    }
    return result_.files.emplace_back(path).bytes();
  }

  const Library& open_library(const std::string& name) {
    const auto known = libraries_.find(name);
    if (known != libraries_.end()) return known->second;
    const fs::path path = trace_.directory / name;
    const Library& library = libraries_.try_emplace(name, map(path), path).first->second;
    if (!library.archive.thin()) return library;
    // GNU ld names its members as if they were objects of the line.
    throw Error(ExitCode::kBadInput, path.string() + " is a thin static library",
                "make it with ar without the option T");
  }

  void note_member(const Library& library, const std::string& name) {
    const auto members = library.by_name.find(name);
    if (members == library.by_name.end()) {
      throw Error(ExitCode::kBadInput,
                  fmt::format("{} does not have the member {} that was linked", library.path, name),
                  "link the shared library again");
    }
    members_.push_back({&library, members->first});
  }

  /// Which member of that name each line means.
  void find_members() {
    std::map<std::pair<const Library*, std::string_view>, std::vector<std::size_t>> lines;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      lines[{members_[i].library, members_[i].name}].push_back(i);
    }
    for (const auto& [key, positions] : lines) {
      const auto& [library, name] = key;
      const std::vector<std::size_t> taken = taken_members(*library, name, positions.size());
      for (std::size_t i = 0; i < taken.size(); ++i) members_[positions[i]].index = taken[i];
    }
  }

  /// The members of one name that were linked, in the order in which they were.
  std::vector<std::size_t> taken_members(const Library& library, std::string_view name,
                                         std::size_t count) {
    const std::vector<std::size_t>& all = library.by_name.at(name);
    if (all.size() == 1 && count == 1) return all;
    std::set<std::pair<std::uint64_t, std::size_t>> placed;
    for (const std::size_t member : all) {
      const auto address = address_of(library, member);
      if (address) placed.emplace(*address, member);
    }
    std::vector<std::size_t> members;
    for (const auto& [address, member] : placed) members.push_back(member);
    if (members.size() == count) return members;
    throw Error(ExitCode::kBadInput,
                fmt::format("{}: {} of {} members named {} were linked, but the symbols of {} fit",
                            library.path, count, all.size(), name, members.size()),
                "give the library's objects different names");
  }

  /// Where the last function of a member lies in the shared library, in which ld puts one object
  /// after the other; nothing when not all that it defines is there.
  std::optional<std::uint64_t> address_of(const Library& library, std::size_t member) {
    if (addresses_.empty()) {
      const ElfImage image(map(trace_.linked), trace_.linked.string());
      image.for_each_symbol(SymbolTable::kStatic, [this](const Symbol& symbol) {
        if (symbol.defined) addresses_[symbol.name] = symbol.function ? symbol.address : 0;
      });
    }
    const Bytes content = library.archive.members()[member].content;
    std::uint64_t last = 0;
    for (const ObjectSymbol& symbol : read_object_symbols(content, library.path).symbols) {
      const auto address = addresses_.find(symbol.name);
      if (address == addresses_.end()) return std::nullopt;
      if (!symbol.weak) last = std::max(last, address->second);
    }
    return last;
  }

  void add_members() {
    for (const TracedMember& traced : members_) {
      const Bytes content = traced.library->archive.members()[traced.index].content;
      result_.entries.push_back({std::string(traced.name), content, {}});
      labels_.push_back(fmt::format("{}({})", traced.library->path, traced.name));
    }
  }

  void read_symbols() {
    for_each_parallel(result_.entries.size(), jobs_, [this](std::size_t i) {
      InterruptGuard::check();
      ArEntry& entry = result_.entries[i];
      entry.symbols = read_object_symbols(entry.content, labels_[i]);
    });
  }

  /// A static library that two shared libraries use ends up in the first of them.
  void leave_out_what_is_in(const std::vector<fs::path>& beside) {
    std::unordered_set<std::string_view> defined;
    for (const fs::path& path : beside) {
      for (const std::string_view symbol : ArArchive(map(path), path.string()).index()) {
        defined.insert(symbol);
      }
    }
    const auto is_there = [&defined](const ArEntry& entry) {
      bool any = false;
      for (const ObjectSymbol& symbol : entry.symbols.symbols) {
        if (symbol.weak) continue;
        if (defined.count(symbol.name) == 0) return false;
        any = true;
      }
      return any;
    };
    auto& entries = result_.entries;
    const auto members = entries.begin() + static_cast<std::ptrdiff_t>(result_.objects);
    entries.erase(std::remove_if(members, entries.end(), is_there), entries.end());
  }

  const LinkTrace& trace_;
  unsigned jobs_;
  LinkedObjects result_;
  std::vector<std::string> labels_;  ///< of the entries, for messages
  std::map<std::string, Library> libraries_;
  std::vector<TracedMember> members_;
  std::unordered_map<std::string_view, std::uint64_t> addresses_;  ///< of functions; else 0
};

}  // namespace

LinkedObjects linked_objects(const LinkTrace& trace, const std::vector<fs::path>& beside,
                             unsigned jobs) {
  return TraceReader(trace, jobs).read(beside);
}

}  // namespace torchpkg
