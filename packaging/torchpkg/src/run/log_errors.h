// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace torchpkg {

/// The errors in the log of a failed command.
struct LogErrors {
  std::string command;      ///< the compile or link that said `first`, shortened; empty: unknown
  std::string first;        ///< the first error with its explanation; empty: nothing looks like one
  std::size_t further = 0;  ///< how many other errors the log has
  std::string warning;      ///< "unused-variable" when `first` is a warning made an error
  std::string file;         ///< the file that this warning is about
};

/// Finds the errors of compilers, linkers, assemblers, nvcc, CMake, Python, make and Ninja. What
/// only sums up ("collect2: error: ld returned 1") counts when there is nothing better. In a log of
/// Ninja's, only what failed steps print is looked at; of a configure, CMake's own errors come
/// first, since probes print errors that are none.
LogErrors find_log_errors(std::string_view log);

/// A command for the terminal: of a long one the program, the sources and the output.
std::string shortened_command(std::string_view command);

}  // namespace torchpkg
