// SPDX-License-Identifier: BSD-3-Clause
#include "bundle/bundle.h"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "bundle/elf_edit.h"
#include "bundle/former_report.h"
#include "bundle/library_search.h"
#include "bundle/staged_elf.h"
#include "common/error.h"
#include "common/file.h"
#include "common/interrupt.h"
#include "common/partial_file.h"
#include "common/sha256.h"
#include "common/text.h"
#include "elf/elf_image.h"
#include "elf/known_libraries.h"

namespace torchpkg {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

class Bundler {
 public:
  explicit Bundler(const BundleOptions& options)
      : options_(options), lib_(options.root / options.lib), search_(options.search) {
    if (!fs::is_directory(lib_)) {
      throw Error(ExitCode::kEnvironment, lib_.string() + " is not a folder",
                  "check --root and --lib");
    }
  }

  std::vector<BundledLibrary> run() {
    if (!options_.soname_version.empty()) give_versions();
    collect(options_.root);
    for (const fs::path& file : options_.needed_by) add_outside(file);
    take_former_report();
    if (!options_.rpath_only) bring_in_opened();
    // The list grows while it is walked: a copied library needs others.
    for (std::size_t i = 0; i < elves_.size(); ++i) {
      if (!options_.rpath_only) bring_in_needed(i);
    }
    // Before the edits: after them nobody asks for the old names any more, so a run that is killed
    // now could not find out again where the copies came from.
    std::vector<BundledLibrary> libraries = write_report();
    for (const StagedElf& elf : elves_) {
      if (!elf.outside) edit(elf);
    }
    return libraries;
  }

 private:
  /// Renames the libraries in lib/ that have no version. What a run that was killed meanwhile has
  /// renamed is found by its link.
  void give_versions() {
    std::error_code error;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(lib_, error)) {
      files.push_back(entry.path());
    }
    if (error) throw system_error(lib_.string() + " cannot be listed", error.value());
    for (const fs::path& file : files) {
      const std::string name = file.filename().string();
      if (!name.starts_with("lib") || !name.ends_with(".so")) continue;
      const std::string versioned = name + "." + options_.soname_version;
      if (fs::is_symlink(file)) {
        if (fs::read_symlink(file, error) == versioned) new_names_[name] = versioned;
        continue;
      }
      if (!read_staged(file)) continue;
      fs::rename(file, lib_ / versioned, error);
      if (!error) fs::create_symlink(versioned, file, error);
      if (error) throw system_error(file.string() + " cannot be renamed", error.value());
      new_names_[name] = versioned;
    }
  }

  void collect(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> files;
    remove_stale_partials_below(folder);
    fs::recursive_directory_iterator walk(folder, error);
    if (error == std::errc::no_such_file_or_directory) return;
    for (const auto end = fs::end(walk); !error && walk != end; walk.increment(error)) {
      inside_.insert(walk->path().filename().string());
      if (!walk->is_symlink() && walk->is_regular_file()) files.push_back(walk->path());
    }
    if (error) throw system_error(folder.string() + " cannot be listed", error.value());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      if (auto elf = read_staged(file)) elves_.push_back(std::move(*elf));
    }
  }

  void add_outside(const fs::path& file) {
    auto elf = read_staged(file);
    if (!elf) {
      throw Error(ExitCode::kBadInput, file.string() + " is not a shared library",
                  "check --needed-by");
    }
    elf->outside = true;
    inside_.insert(file.filename().string());
    inside_.insert(elf->dynamic.soname);
    elves_.push_back(std::move(*elf));
  }

  void bring_in_needed(std::size_t index) {
    const StagedElf elf = elves_[index];
    for (const std::string& needed : elf.dynamic.needed) {
      const std::string name = base_name(needed);
      bring_in(name, elf, "is needed by " + elf.path.lexically_relative(options_.root).string());
    }
  }

  /// Before what is needed: the list of ELF files grows, and what these need follows.
  void bring_in_opened() {
    for (const std::string& name : options_.also) {
      if (elves_.empty()) return;
      bring_in(name, StagedElf(elves_.front()), "is opened by name");
    }
  }

  /// For a file of the same kind of machine as `elf`.
  void bring_in(const std::string& name, const StagedElf& elf, const std::string& why) {
    if (inside_.count(name) != 0 || new_names_.count(name) != 0) return;
    if (is_on_every_host(name) || is_elsewhere(name)) return;
    const auto found = search_.find(name, elf.machine, elf.bits);
    if (!found) {
      throw Error(ExitCode::kEnvironment, fmt::format("{} {} and was not found", name, why),
                  "install it, or add its folder to --search");
    }
    copy(name, *found);
  }

  [[nodiscard]] bool is_elsewhere(const std::string& name) const {
    return std::any_of(options_.elsewhere.begin(), options_.elsewhere.end(),
                       [&name](const ElsewhereLibrary& library) {
                         return ::fnmatch(library.pattern.c_str(), name.c_str(), 0) == 0;
                       });
  }

  void copy(const std::string& name, const fs::path& from) {
    InterruptGuard::check();
    const std::string sha256 = sha256_of_file(from);
    const std::string file = name_in_package(name, sha256, options_.rename);
    new_names_[name] = file;
    copied_[file] = {name, from.filename().string(), sha256, file};
    const fs::path to = lib_ / file;
    if (inside_.insert(file).second) {
      ElfEdit edit;
      edit.soname = file;
      edit.rpath = rpath_for(to);
      apply_elf_edit(from, to, edit);
    }
    if (auto elf = read_staged(to)) elves_.push_back(std::move(*elf));
  }

  /// From where a file lies to what lies elsewhere, to `lib_`, and its own folder when that is
  /// another one below `lib_`.
  [[nodiscard]] std::string rpath_for(const fs::path& path) const {
    std::vector<std::string> entries;
    for (const ElsewhereLibrary& library : options_.elsewhere) {
      const fs::path folder = options_.root / library.folder;
      std::string entry = "$ORIGIN/" + folder.lexically_relative(path.parent_path()).string();
      if (std::find(entries.begin(), entries.end(), entry) == entries.end()) {
        entries.push_back(std::move(entry));
      }
    }
    entries.push_back(rpath_to_lib(path));
    return join(entries, ":");
  }

  [[nodiscard]] std::string rpath_to_lib(const fs::path& path) const {
    const std::string way = lib_.lexically_relative(path.parent_path()).generic_string();
    if (way == ".") return "$ORIGIN";
    const bool below_lib = *path.lexically_relative(lib_).begin() != "..";
    return (below_lib ? "$ORIGIN:$ORIGIN/" : "$ORIGIN/") + way;
  }

  void edit(const StagedElf& elf) const {
    InterruptGuard::check();
    ElfEdit edit;
    const std::string rpath = rpath_for(elf.path);
    if (elf.dynamic.runpath || elf.dynamic.rpath.value_or("") != rpath) edit.rpath = rpath;
    const auto own = new_names_.find(elf.dynamic.soname);
    if (own != new_names_.end() && own->second == elf.path.filename()) edit.soname = own->second;
    for (const std::string& needed : elf.dynamic.needed) {
      const auto found = new_names_.find(base_name(needed));
      if (found != new_names_.end() && found->second != needed) {
        edit.needed.emplace_back(needed, found->second);
      }
    }
    // Assembly sources without a remark on the stack leave the mark; nothing here runs code on it,
    // and hosts refuse to load such a library (glibc 2.41 in dlopen(), SELinux always).
    edit.plain_stack = elf.marks_stack;
    if (!edit.empty()) apply_elf_edit(elf.path, elf.path, edit);
  }

  /// What an earlier run copied is not needed under its old name any more, so only its report
  /// remembers where it came from.
  void take_former_report() {
    std::error_code error;
    if (options_.report.empty() || !fs::exists(options_.report, error)) return;
    for (const BundledLibrary& library : read_former_report(options_.report)) {
      if (fs::is_regular_file(lib_ / library.file, error)) copied_[library.file] = library;
    }
  }

  [[nodiscard]] std::vector<BundledLibrary> write_report() const {
    std::vector<BundledLibrary> libraries;
    Json list = Json::array();
    for (const auto& [file, library] : copied_) {
      libraries.push_back(library);
      list.push_back({{"name", library.name},
                      {"from", library.from},
                      {"sha256", library.sha256},
                      {"file", library.file}});
    }
    if (!options_.report.empty()) {
      Json json{{"schema", 1}, {"bundled", std::move(list)}, {"host_libraries", host_libraries()}};
      if (!options_.elsewhere.empty()) json["elsewhere"] = asked_elsewhere();
      const auto replace = Json::error_handler_t::replace;  // a name need not be UTF-8
      write_text_atomically(options_.report, json.dump(2, ' ', false, replace) + "\n");
    }
    return libraries;
  }

  /// Which libraries that lie elsewhere are asked for.
  [[nodiscard]] std::set<std::string> asked_elsewhere() const {
    std::set<std::string> names;
    for (const StagedElf& elf : elves_) {
      for (const std::string& needed : elf.dynamic.needed) {
        const std::string name = base_name(needed);
        if (inside_.count(name) == 0 && is_elsewhere(name)) names.insert(name);
      }
    }
    for (const std::string& name : options_.also) {
      if (is_elsewhere(name)) names.insert(name);
    }
    return names;
  }

  /// What is asked of libraries that are neither inside nor on every host: for the manifest of a
  /// package without deps.
  [[nodiscard]] Json host_libraries() const {
    std::map<std::string, std::set<std::string>> asked;
    for (const StagedElf& elf : elves_) {
      for (const std::string& needed : elf.dynamic.needed) {
        const std::string name = base_name(needed);
        const bool inside = inside_.count(name) != 0 || new_names_.count(name) != 0;
        if (!inside && !is_on_every_host(name) && !is_elsewhere(name)) asked[name];
      }
      for (const NeededVersion& version : elf.versions) {
        const auto found = asked.find(version.library);
        if (found != asked.end()) found->second.insert(version.version);
      }
    }
    if (options_.rpath_only) {
      for (const std::string& name : options_.also) {
        if (inside_.count(name) == 0) asked[name];
      }
    }
    Json list = Json::array();
    for (const auto& [name, versions] : asked) {
      list.push_back({{"name", name}, {"symbol_versions", versions}});
    }
    return list;
  }

  const BundleOptions& options_;
  fs::path lib_;
  LibrarySearch search_;
  std::vector<StagedElf> elves_;
  std::set<std::string> inside_;
  std::map<std::string, std::string> new_names_;  ///< name asked for, name in the package
  std::map<std::string, BundledLibrary> copied_;  ///< by name in the package
};

}  // namespace

std::vector<BundledLibrary> bundle(const BundleOptions& options) {
  const InterruptGuard interrupts;
  return Bundler(options).run();
}

}  // namespace torchpkg
