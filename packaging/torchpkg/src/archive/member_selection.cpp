// SPDX-License-Identifier: BSD-3-Clause
#include "archive/member_selection.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "archive/symbol_states.h"
#include "common/error.h"
#include "common/interrupt.h"
#include "common/parallel.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

using State = SymbolStates::State;

/// A line of a static library's index, with the number of its symbol.
struct Offer {
  std::size_t symbol = 0;
  std::size_t member = 0;
};

/// A static library of the line.
struct Library {
  explicit Library(const fs::path& path) : archive(std::make_unique<InputArchive>(path)) {}

  std::unique_ptr<InputArchive> archive;
  bool hidden = false;
  bool whole = false;                ///< somewhere on the line
  std::vector<ObjectSymbols> ready;  ///< when `whole`: of each member, read beforehand
  std::vector<bool> taken;           ///< of each member
  std::size_t members = 0;           ///< how many are taken
  bool opened = false;               ///< `offers` is filled
  std::vector<Offer> offers;
};

/// An object of the line.
struct Object {
  fs::path path;
  MappedFile file;
  ObjectSymbols symbols;
  bool taken = false;
};

class Selector {
 public:
  Selector(const LinkCommand& command, unsigned jobs) : command_(command), jobs_(jobs) {}

  void count_as_defined(const fs::path& path) {
    beside_.push_back(std::make_unique<InputArchive>(path));
    for (const auto& definition : beside_.back()->definitions()) states_.define(definition.symbol);
  }

  Selection select() {
    open_inputs();
    read_symbols();
    const std::vector<LinkInput>& inputs = command_.inputs;
    for (std::size_t i = 0; i < inputs.size();) {
      std::size_t end = i + 1;
      while (inputs[i].group != 0 && end < inputs.size() && inputs[end].group == inputs[i].group) {
        ++end;
      }
      const bool group = inputs[i].group != 0;
      bool again = true;
      while (again) {
        again = false;
        for (std::size_t k = i; k < end; ++k) again = visit(k) || again;
        again = again && group;
      }
      i = end;
    }
    return finish();
  }

 private:
  /// Finds out which inputs are the same file, and maps each once.
  void open_inputs() {
    std::map<fs::path, std::size_t> known_objects;
    std::map<fs::path, std::size_t> known_libraries;
    for (const LinkInput& input : command_.inputs) {
      std::error_code missing;  // opening says so with the name that the command has
      const fs::path same = fs::weakly_canonical(input.path, missing);
      if (input.archive) {
        const auto [place, first] = known_libraries.try_emplace(same, libraries_.size());
        if (first) open_library(input.path);
        Library& library = libraries_[place->second];
        library.whole = library.whole || input.whole;
        positions_.push_back(place->second);
      } else {
        const auto [place, first] = known_objects.try_emplace(same, objects_.size());
        if (first) objects_.push_back({input.path, map_input(input.path), {}, false});
        positions_.push_back(place->second);
      }
    }
  }

  void open_library(const fs::path& path) {
    Library& library = libraries_.emplace_back(path);
    library.hidden = command_.excludes(path.filename().string());
    library.taken.resize(library.archive->members().size());
  }

  /// Reads what is taken in any case, on several threads.
  void read_symbols() {
    struct Task {
      Bytes content;
      std::string name;
      bool hide = false;
      ObjectSymbols* symbols = nullptr;
    };
    std::vector<Task> tasks;
    for (Object& object : objects_) {
      tasks.push_back({object.file.bytes(), object.path.string(), false, &object.symbols});
    }
    for (Library& library : libraries_) {
      if (!library.whole) continue;
      library.ready.resize(library.taken.size());
      for (std::size_t i = 0; i < library.ready.size(); ++i) {
        tasks.push_back({library.archive->content(i), library.archive->label(i), library.hidden,
                         &library.ready[i]});
      }
    }
    for_each_parallel(tasks.size(), jobs_, [&tasks](std::size_t i) {
      InterruptGuard::check();
      const Task& task = tasks[i];
      *task.symbols = read_object_symbols(task.content, task.name, task.hide);
    });
  }

  /// Goes through input `i`; true when something of it was taken.
  bool visit(std::size_t i) {
    const LinkInput& input = command_.inputs[i];
    if (!input.archive) return take(objects_[positions_[i]]);
    Library& library = libraries_[positions_[i]];
    return input.whole ? take_all(library) : take_needed(library);
  }

  bool take(Object& object) {
    if (std::exchange(object.taken, true)) return false;
    add(object_entries_, object.path.string(), object.path.filename().string(), object.file.bytes(),
        std::move(object.symbols));
    return true;
  }

  bool take_all(Library& library) {
    bool any = false;
    for (std::size_t i = 0; i < library.taken.size(); ++i) {
      if (library.taken[i]) continue;
      take(library, i);
      any = true;
    }
    return any;
  }

  bool take_needed(Library& library) {
    if (!std::exchange(library.opened, true)) {
      for (const auto& definition : library.archive->definitions()) {
        library.offers.push_back({states_.number_of(definition.symbol), definition.member});
      }
    }
    bool any = false;
    for (bool again = true; again;) {
      again = false;
      for (const Offer& offer : library.offers) {
        if (library.taken[offer.member] || !wanted(library, offer)) continue;
        take(library, offer.member);
        any = again = true;
      }
    }
    return any;
  }

  bool wanted(Library& library, const Offer& offer) {
    const State state = states_.state(offer.symbol);
    if (state != State::kCommon) return state == State::kNeeded;
    // Data takes the place of a common block; another common block would bring nothing.
    const ObjectSymbols object = read(library, offer.member);
    return std::any_of(object.symbols.begin(), object.symbols.end(), [&](const auto& symbol) {
      return symbol.use == SymbolUse::kData && states_.number_of(symbol.name) == offer.symbol;
    });
  }

  static ObjectSymbols read(Library& library, std::size_t member) {
    if (!library.ready.empty()) return library.ready[member];
    return read_object_symbols(library.archive->content(member), library.archive->label(member),
                               library.hidden);
  }

  void take(Library& library, std::size_t member) {
    InterruptGuard::check();
    library.taken[member] = true;
    ++library.members;
    InputArchive& archive = *library.archive;
    ObjectSymbols symbols =
        library.ready.empty() ? read(library, member) : std::move(library.ready[member]);
    add(member_entries_, archive.label(member), archive.member_name(member),
        archive.content(member), std::move(symbols));
  }

  void add(std::vector<ArEntry>& entries, const std::string& label, std::string name, Bytes content,
           ObjectSymbols symbols) {
    if (machine_.empty()) {
      machine_ = symbols.machine;
      machine_from_ = label;
    } else if (symbols.machine != machine_) {
      throw Error(ExitCode::kBadInput,
                  fmt::format("{} is for {}, but {} is for {}", label, symbols.machine,
                              machine_from_, machine_),
                  "build both for the same machine");
    }
    states_.add(symbols);
    entries.push_back({std::move(name), content, std::move(symbols)});
  }

  Selection finish() {
    Selection selection;
    selection.objects = object_entries_.size();
    selection.entries = std::move(object_entries_);
    std::move(member_entries_.begin(), member_entries_.end(),
              std::back_inserter(selection.entries));
    if (selection.entries.empty()) {
      throw Error(ExitCode::kBadInput, "the link command names no object that would be linked",
                  "give the command that links the shared library");
    }
    for (Library& library : libraries_) {
      selection.archives.push_back(
          {library.archive->file_name(), library.members, library.taken.size(), library.hidden});
      selection.libraries.push_back(std::move(library.archive));
    }
    for (Object& object : objects_) selection.files.push_back(std::move(object.file));
    return selection;
  }

  const LinkCommand& command_;
  unsigned jobs_;
  std::vector<std::unique_ptr<InputArchive>> beside_;
  std::vector<Object> objects_;
  std::vector<Library> libraries_;
  std::vector<std::size_t> positions_;  ///< of each input, in objects_ or libraries_
  SymbolStates states_;
  std::vector<ArEntry> object_entries_;
  std::vector<ArEntry> member_entries_;
  std::string machine_;  ///< of all objects
  std::string machine_from_;
};

}  // namespace

Selection select_members(const LinkCommand& command, const std::vector<fs::path>& beside,
                         unsigned jobs) {
  Selector selector(command, jobs);
  for (const fs::path& path : beside) selector.count_as_defined(path);
  return selector.select();
}

}  // namespace torchpkg
