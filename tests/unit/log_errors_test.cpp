// SPDX-License-Identifier: BSD-3-Clause
#include "run/log_errors.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support.h"

namespace torchpkg::test {
namespace {

/// What is to be found in a log of tests/unit/logs, each of a real failure.
struct Case {
  const char* log;
  const char* begin;    ///< of the error's text
  const char* part;     ///< stands in the text
  const char* command;  ///< begin of the command
  std::size_t further = 0;
};

LogErrors errors_in(const std::string& name) {
  return find_log_errors(file_content(fs::path(TORCHPKG_LOGS) / name));
}

const Case kCases[] = {
    Case{"cmake-configure.log", "CMake Error at third/CMakeLists.txt:5 (message):\n",
         "  Cannot find six\n", ""},
    Case{"cmake-fatal.log", "CMake Error at third/CMakeLists.txt:2 (message):\n",
         "Looked in:\n\n    /usr/include\n    /opt/include\nCall Stack", ""},
    Case{"cmake-compiler.log", "CMake Error at ", "FAILED: ", ""},
    Case{"cmake-python.log", "  File \"/tmp/demo/py/gen.py\", line 9, in main\n",
         "RuntimeError: cannot generate\nCMake Error at CMakeLists.txt:5 (message):\n"
         "  the generator failed: 1\n",
         ""},
    Case{"gcc-template.log", "In file included from /usr/include/c++/12/algorithm:61,\n",
         ":1938:50: error: no match for ‘operator-’",
         "/usr/bin/g++ ... -o CMakeFiles/tmpl.dir/deep.cpp.o -c /tmp/demo/tmpl/deep.cpp", 1},
    Case{"clang-template.log", "In file included from /tmp/demo/tmpl/deep.cpp:1:\n",
         ":1938:22: error: invalid operands",
         "/usr/bin/clang++ ... -o CMakeFiles/tmpl.dir/deep.cpp.o -c ", 2},
    Case{"gcc-link.log", "/usr/bin/ld: CMakeFiles/link.dir/main.cpp.o: in function `twice()':\n",
         "undefined reference to `other(int)'\n", "/usr/bin/g++ CMakeFiles/link.dir", 2},
    Case{"lld-link.log", "ld.lld: error: undefined symbol: other(int)\n",
         ">>> referenced by main.cpp\n", "/usr/bin/clang++ -fuse-ld=lld ", 1},
    Case{"gcc-no-library.log", "/usr/bin/ld: cannot find -lno_such_library", "", "/usr/bin/c++ "},
    Case{"make.log", "b.c: In function ‘b’:\nb.c:1:22: error: ‘nowhere’ undeclared",
         "note: each undeclared identifier is reported only once", "gcc -O2 -Wall -c b.c -o b.o"},
    Case{"make-norule.log", "make: *** No rule to make target 'gone.o'", "", ""},
    Case{"ninja-missing.log", "ninja: error: 'missing.c', needed by 'a', missing", "", ""},
    Case{"nvcc.log", "asmb/x.cu(1): error: identifier \"undefined_thing\" is undefined\n",
         "*p = undefined_thing;", "nvcc -c asmb/x.cu -o x.o"},
    Case{"nvcc-fatal.log", "nvcc fatal   : Unsupported gpu architecture 'sm_11'\n", "",
         "nvcc -arch=sm_11"},
    Case{"gfortran.log", "asmb/x.f90:3:8:\n", "Error: Invalid character in name at (1)\n",
         "gfortran -c asmb/x.f90"},
    Case{"assembler.log", "asmb/x.s: Assembler messages:\nasmb/x.s:2: Error: no such", "",
         "gcc -c asmb/x.s"},
    Case{"python.log", "  File \"/tmp/demo/py/gen.py\", line 3, in load\n",
         "import no_such_module\nModuleNotFoundError: No module named 'no_such_module'\n",
         "python3 py/gen.py x", 1},
    Case{"no-tool.log", "/bin/sh: 1: nowhere/tool: not found\n", "", "nowhere/tool -o x"}};

TEST(LogErrors, TheFirstErrorIsFound) {
  for (const Case& expected : kCases) {
    SCOPED_TRACE(expected.log);
    const LogErrors errors = errors_in(expected.log);
    EXPECT_TRUE(errors.first.starts_with(expected.begin)) << errors.first;
    EXPECT_TRUE(contains(errors.first, expected.part));
    EXPECT_TRUE(errors.command.starts_with(expected.command)) << errors.command;
    EXPECT_EQ(errors.command.empty(), std::string_view(expected.command).empty()) << errors.command;
    EXPECT_EQ(errors.further, expected.further);
    EXPECT_FALSE(contains(errors.first, "warning: "));
  }
}

TEST(LogErrors, AWarningMadeAnErrorIsNamed) {
  for (const char* log : {"gcc-pragma.log", "clang-pragma.log"}) {
    const LogErrors errors = errors_in(log);
    EXPECT_EQ(errors.warning, "return-type");
    EXPECT_EQ(errors.file, "/tmp/demo/unit/pragma.cpp");
  }
  EXPECT_TRUE(errors_in("gcc-template.log").warning.empty());
}

TEST(LogErrors, OthersThatLeadNowhere) {
  for (const char* line :
       {"-- Performing Test HAVE_X - Failed, error: no", "[3/9] Building CXX object error.cpp.o",
        "x.c:1:2: warning: you meant \"error: \"", "   12 |   puts(\"error: no\");",
        "0 errors:", "x.cpp:3:1: note: the error: is above", "Building error_handler: done"}) {
    EXPECT_EQ(find_log_errors(std::string(line) + "\n").first, "") << line;
  }
}

TEST(LogErrors, WhatCountsMoreGoesFirst) {
  // A version asked of git in an unpacked archive, and a probe that is meant to fail.
  const LogErrors configure = find_log_errors(
      "fatal: not a git repository\nprobe.c:1:1: error: no such header\n-- a\n"
      "CMake Error: The source directory \"/x\" does not exist.\nSpecify --help for usage.\n\n-- "
      "b\n");
  EXPECT_EQ(
      configure.first,
      "CMake Error: The source directory \"/x\" does not exist.\nSpecify --help for usage.\n");
  EXPECT_EQ(configure.further, 0U);
  // The step that was killed beside the one with the error.
  const LogErrors build = find_log_errors(
      "FAILED: a.o \ncc a\nc++: fatal error: Killed signal terminated program cc1plus\n"
      "FAILED: b.o \ncc b\n\033[1mb.c:1: \033[31merror: \033[0mno\r\nninja: build stopped: x\n");
  EXPECT_EQ(build.first, "b.c:1: error: no\n");
  EXPECT_EQ(build.command, "cc b");
  EXPECT_EQ(build.further, 1U);
}

TEST(LogErrors, TooMuchOfItIsLeftToTheLog) {
  std::string log = "FAILED: a.o\nc++ -c a.cpp\n";
  for (int i = 0; i < 50; ++i) log += "a.h:1:1:   required from 'f'\n";
  log += "a.h:2:1: error: no\n";
  for (int i = 0; i < 50; ++i) log += "a.h:3:1: note: candidate\n";
  const std::string text = find_log_errors(log).first;
  EXPECT_TRUE(contains(text, "\na.h:2:1: error: no\n"));
  EXPECT_TRUE(contains(text, "  ... (42 more lines in the log)\n"));
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 32) << text;
}

TEST(LogErrors, LongCommandsKeepTheirSourceAndOutput) {
  std::string flags;
  for (int i = 0; i < 50; ++i) flags += " -I/a/folder/of/headers/" + std::to_string(i);
  EXPECT_EQ(shortened_command("/usr/bin/ccache /usr/bin/c++" + flags + " -o x.o -c /s/x.cc"),
            "/usr/bin/ccache /usr/bin/c++ ... -o x.o -c /s/x.cc");
  EXPECT_EQ(shortened_command(": && c++  a.o  -o  a && :"), "c++ a.o -o a");
}

}  // namespace
}  // namespace torchpkg::test
