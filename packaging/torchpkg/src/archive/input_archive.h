// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/file.h"
#include "elf/ar_archive.h"

namespace torchpkg {

/// A static library that members are taken from.
class InputArchive {
 public:
  /// Which member defines a symbol.
  struct Definition {
    std::string_view symbol;
    std::size_t member = 0;  ///< its position in members()
  };

  /// Maps the file. Error: kBadInput (missing, damaged, a linker script).
  explicit InputArchive(std::filesystem::path path);

  [[nodiscard]] const std::vector<ArMember>& members() const { return archive_.members(); }

  /// The archive's base name.
  [[nodiscard]] std::string file_name() const { return path_.filename().string(); }

  /// `path(member)`, for messages.
  [[nodiscard]] std::string label(std::size_t member) const;

  /// The member's base name.
  [[nodiscard]] std::string member_name(std::size_t member) const;

  /// The member's bytes, which live as long as the archive. That of a thin archive is mapped; not
  /// to be called from several threads then. Error: kBadInput when it is not there.
  Bytes content(std::size_t member);

  /// What the members define: the archive's index, as linkers use it, or what is read from all
  /// members when there is no index. Error: kBadInput.
  std::vector<Definition> definitions();

  /// Whether members lie in files of their own.
  [[nodiscard]] bool thin() const { return archive_.thin(); }

 private:
  [[nodiscard]] std::vector<Definition> indexed_definitions() const;

  std::filesystem::path path_;
  MappedFile file_;
  ArArchive archive_;
  std::deque<MappedFile> thin_members_;
};

/// Maps a file that the link command names. Error: kBadInput when it is not there.
MappedFile map_input(const std::filesystem::path& path);

}  // namespace torchpkg
