// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchpkg {

/// How much a line of a log says about why a command failed; more counts before less.
enum class ErrorRank {
  kNone,
  kSummary,  ///< that something failed: "collect2: error", "make: *** [x] Error 1"
  kTool,     ///< what failed: "x.c:1: error: ...", "undefined reference to ...", "ImportError: ..."
  kCMake,    ///< "CMake Error at ..."
};

ErrorRank rank_of(std::string_view line);

/// Whether a line is the last of a Python traceback: "ModuleNotFoundError: No module named 'x'".
bool is_python_error(std::string_view line);

/// A line of source code in a compiler's message: "   12 |   int i = foo();".
bool is_excerpt(std::string_view line);

/// Whether a line stands before an error to say how the compiler got there: "In file included
/// from".
bool leads_to_error(std::string_view line);

/// Whether a line is not part of the error that stands before it.
bool begins_something_else(std::string_view line);

/// The name of the file, without its folder, that a compiler's line is about; empty: of none.
std::string file_in(std::string_view line);

/// Whether a line is the command of a compiler, assembler or linker.
bool is_compile(std::string_view line);

/// Whether a word of a command is a file of source code.
bool is_source(std::string_view word);

/// The lines of a log without colours and carriage returns.
std::vector<std::string> plain_lines(std::string_view log);

}  // namespace torchpkg
