// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "archive/ar_writer.h"
#include "archive/input_archive.h"
#include "archive/link_command.h"

namespace torchpkg {

/// How much of a static library was taken.
struct ArchiveUse {
  std::string name;         ///< base name
  std::size_t members = 0;  ///< taken
  std::size_t of = 0;       ///< all members
  bool hidden = false;      ///< under --exclude-libs: what its members define becomes hidden
};

/// The objects of a link. Holds the files that `entries` lie in.
struct Selection {
  std::vector<ArEntry> entries;      ///< the objects in the line's order, then members as taken
  std::size_t objects = 0;           ///< how many of them are objects of the line
  std::vector<ArchiveUse> archives;  ///< each once, in the line's order
  std::vector<MappedFile> files;
  std::vector<std::unique_ptr<InputArchive>> libraries;
};

/// Chooses the objects that GNU ld would link. The line is gone through from left to right. An
/// object is taken; so is every member of a static library under --whole-archive. Else a member is
/// taken when it defines what is undefined so far (weakly undefined does not count), or has data
/// for what is a common block so far; the library is gone through again until it gives nothing new,
/// a group until all of it gives nothing new. Nothing is taken twice, however often it is named.
/// `beside`: static libraries whose definitions count as there from the beginning.
/// `jobs`: threads that read symbols; 0: as many as processors.
/// Errors: kBadInput (a file is missing, damaged, no object, or for another machine; no objects at
/// all); Interrupted inside an InterruptGuard.
Selection select_members(const LinkCommand& command,
                         const std::vector<std::filesystem::path>& beside, unsigned jobs);

}  // namespace torchpkg
