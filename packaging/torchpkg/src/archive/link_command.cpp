// SPDX-License-Identifier: BSD-3-Clause
#include "archive/link_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "archive/shell_words.h"
#include "common/error.h"
#include "common/file.h"
#include "common/text.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

/// Options whose next word is no input, whatever it looks like. Long ones without their hyphens.
constexpr std::array<std::string_view, 12> kShortWithArgument = {
    "-o", "-L", "-l", "-T", "-u", "-e", "-z", "-h", "-I", "-D", "-MF", "-MT"};
constexpr std::array<std::string_view, 13> kLongWithArgument = {
    "output",         "soname", "rpath",          "rpath-link",   "Map",
    "version-script", "script", "dynamic-linker", "dynamic-list", "undefined",
    "just-symbols",   "defsym", "plugin"};

/// More than any build nests them; a file that names itself would never end.
constexpr int kDeepestResponseFile = 20;

template <typename List>
bool contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// A linker's long option without its one or two hyphens; empty when it is none.
std::string_view long_option(std::string_view word) {
  if (word.starts_with("--")) return word.substr(2);
  if (word.starts_with("-") && word.size() > 2) return word.substr(1);
  return {};
}

Words find_link(std::string_view text, const std::string& name) {
  std::vector<Words> links;
  for (Words& command : shell_commands(text, name)) {
    if (contains(command, "-shared") || contains(command, "--shared")) {
      links.push_back(std::move(command));
    }
  }
  if (links.size() == 1) return std::move(links.front());
  throw Error(ExitCode::kBadInput,
              links.empty() ? name + " has no link of a shared library in it (no word -shared)"
                            : fmt::format("{} has {} links of shared libraries in it, which one is "
                                          "meant is not clear",
                                          name, links.size()),
              "write what ninja -t commands -s <the shared library> prints into it");
}

/// The words of `-Wl,word,word`; an empty one can be the argument of the one before it.
Words split_at_commas(std::string_view text) {
  Words words;
  for (std::size_t comma = 0; comma != std::string_view::npos;) {
    comma = text.find(',');
    words.emplace_back(text.substr(0, comma));
    if (comma != std::string_view::npos) text.remove_prefix(comma + 1);
  }
  return words;
}

class LinkReader {
 public:
  LinkReader(const std::string& name, const fs::path& directory)
      : name_(name), directory_(directory) {}

  LinkCommand read(const Words& command) {
    // The first word is the compiler.
    expand(Words(command.begin() + 1, command.end()), 0);
    while (at_ < words_.size()) read_word(words_[at_++]);
    return std::move(result_);
  }

 private:
  /// Words as the linker gets them: without `-Wl,` and `-Xlinker`, response files read.
  void expand(const Words& words, int depth) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word.starts_with("-Wl,")) {
        expand(split_at_commas(std::string_view(word).substr(4)), depth);
      } else if (word.starts_with('@') && word.size() > 1) {
        expand_response_file(word.substr(1), depth);
      } else if (word != "-Xlinker") {
        words_.push_back(word);
      }
    }
  }

  void expand_response_file(const std::string& file, int depth) {
    const fs::path path = directory_ / file;
    std::error_code error;
    if (!fs::is_regular_file(path, error)) {
      throw Error(
          ExitCode::kBadInput,
          fmt::format("{} names the response file {}, which is not there", name_, path.string()),
          "Ninja removes response files: build the shared library with ninja -d keeprsp");
    }
    if (depth == kDeepestResponseFile) {
      throw Error(ExitCode::kBadInput, path.string() + " is a response file that names itself",
                  "link without it");
    }
    expand(response_words(read_text(path), path.string()), depth + 1);
  }

  /// The argument of an option: after `=`, or the next word.
  std::string argument(std::string_view option, std::string_view name) {
    if (option.size() > name.size()) return std::string(option.substr(name.size() + 1));
    return at_ < words_.size() ? words_[at_++] : std::string();
  }

  void read_word(const std::string& word) {
    if (word == "-(") return begin_group();
    if (word == "-)") return end_group();
    if (!word.starts_with('-')) return add_input(word);
    if (contains(kShortWithArgument, word)) {
      ++at_;
      return;
    }
    read_option(long_option(word));
  }

  void read_option(std::string_view option) {
    if (option == "whole-archive") {
      whole_ = true;
    } else if (option == "no-whole-archive") {
      whole_ = false;
    } else if (option == "push-state") {
      states_.push_back(whole_);
    } else if (option == "pop-state" && !states_.empty()) {
      whole_ = states_.back();
      states_.pop_back();
    } else if (option == "start-group") {
      begin_group();
    } else if (option == "end-group") {
      end_group();
    } else if (option == "exclude-libs" || option.starts_with("exclude-libs=")) {
      for (const std::string& part : split(argument(option, "exclude-libs"), ',')) {
        for (std::string& library : split(part, ':')) {
          result_.excluded.push_back(std::move(library));
        }
      }
    } else if (contains(kLongWithArgument, option)) {
      ++at_;
    }
  }

  void begin_group() { group_ = ++groups_; }
  void end_group() { group_ = 0; }

  void add_input(const std::string& word) {
    const bool archive = word.ends_with(".a");
    if (!archive && !word.ends_with(".o")) return;  // a shared library
    result_.inputs.push_back({directory_ / word, archive, archive && whole_, group_});
  }

  const std::string& name_;
  const fs::path& directory_;
  Words words_;
  std::size_t at_ = 0;
  bool whole_ = false;
  std::vector<bool> states_;
  std::size_t group_ = 0;
  std::size_t groups_ = 0;
  LinkCommand result_;
};

}  // namespace

bool LinkCommand::excludes(std::string_view file_name) const {
  return std::any_of(excluded.begin(), excluded.end(), [file_name](const std::string& name) {
    return name == "ALL" || name == file_name || name + ".a" == file_name;
  });
}

LinkCommand parse_link_command(std::string_view text, const std::string& name,
                               const fs::path& directory) {
  return LinkReader(name, directory).read(find_link(text, name));
}

}  // namespace torchpkg
