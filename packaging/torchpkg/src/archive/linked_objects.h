// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "archive/ar_writer.h"

namespace torchpkg {

/// How GNU ld linked a shared library.
struct LinkTrace {
  std::string text;                 ///< what it printed under --trace --trace
  std::string command;              ///< the shell command of the link
  std::filesystem::path directory;  ///< where that ran
  std::filesystem::path linked;     ///< the shared library
};

/// The objects of a link. Holds the files that `entries` lie in.
struct LinkedObjects {
  std::vector<ArEntry> entries;  ///< the objects in the line's order, then members as taken
  std::size_t objects = 0;       ///< how many of them are objects of the line
  std::deque<MappedFile> files;
};

/// The objects and members of static libraries that were linked. What the command does not name by
/// its path (the compiler's own objects and libraries, `-l` words) is left to whoever links.
///
/// All that they define gets hidden visibility. A member is left out when all that it defines is
/// defined by a static library of `beside`.
///
/// ld does not say which of several members of one name it took: the symbols of `linked` decide.
///
/// Errors: kBadInput (a file is missing, damaged, a thin library or not an object; which member it
/// was is not clear; no object at all); Interrupted inside an InterruptGuard.
LinkedObjects linked_objects(const LinkTrace& trace,
                             const std::vector<std::filesystem::path>& beside, unsigned jobs);

}  // namespace torchpkg
