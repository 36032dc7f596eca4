// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace torchpkg {

/// An object or a static library on the line of a link.
struct LinkInput {
  std::filesystem::path path;  ///< absolute, or relative to where torchpkg runs
  bool archive = false;        ///< a static library, not an object
  bool whole = false;          ///< under --whole-archive
  std::size_t group = 0;       ///< number of its --start-group ... --end-group; 0: in none
};

/// What of a link matters for a static library of the same objects.
struct LinkCommand {
  std::vector<LinkInput> inputs;      ///< in the line's order
  std::vector<std::string> excluded;  ///< names after --exclude-libs; "ALL": every static library

  /// Whether --exclude-libs names the static library of this file name: by the name itself, or by
  /// it without `.a`.
  [[nodiscard]] bool excludes(std::string_view file_name) const;
};

/// Reads the link of a shared library out of a shell command.
/// `text`: as `ninja -t commands -s <library>` prints it; the link is the command in it that has
/// the word `-shared`. Words after `-Wl,` and `-Xlinker` count as others do, response files
/// (`@file`) are read. Options that do not choose objects, `-l` words and shared libraries are left
/// out.
/// `name`: the file that `text` is from, for messages.
/// `directory`: where the command runs; its relative paths are below it.
/// Errors: kBadInput (a quote that is not closed, no link of a shared library or more than one, a
/// response file that is not there).
LinkCommand parse_link_command(std::string_view text, const std::string& name,
                               const std::filesystem::path& directory);

}  // namespace torchpkg
