// SPDX-License-Identifier: BSD-3-Clause
#include "checks/cmake_paths.h"

#include <gtest/gtest.h>

#include "support.h"

namespace torchpkg::test {
namespace {

std::vector<std::string> cmake(std::string_view text) {
  std::vector<std::string> paths;
  for (const FoundPath& found : absolute_paths_in_cmake(text)) paths.push_back(found.path);
  return paths;
}

using Paths = std::vector<std::string>;

TEST(CMakePaths, AbsolutePathsAreFound) {
  EXPECT_EQ(cmake("set(A \"/build/x/lib\")"), Paths{"/build/x/lib"});
  EXPECT_EQ(cmake("set(A /usr)"), Paths{"/usr"});
  EXPECT_EQ(cmake("set_target_properties(t PROPERTIES IMPORTED_LOCATION \"/a/libx.so\")"),
            Paths{"/a/libx.so"});
  EXPECT_EQ(cmake("target_link_libraries(t a;/lib/x86_64-linux-gnu/libm.so;b)"),
            Paths{"/lib/x86_64-linux-gnu/libm.so"});
  EXPECT_EQ(cmake("set(F \"-O2 -I/a/include -L/b/lib -Wl,-rpath,/c/lib -isystem /d/include\")"),
            (Paths{"/a/include", "/b/lib", "/c/lib", "/d/include"}));
  EXPECT_EQ(cmake("set(F \"$<BUILD_INTERFACE:/data/include>\")"), Paths{"/data/include"});
  EXPECT_EQ(cmake("set(F /prefix/${NAME}/lib)"), Paths{"/prefix"});
  EXPECT_EQ(cmake("string(APPEND F \" -I/a/include\")"), Paths{"/a/include"});
  EXPECT_EQ(cmake("list(APPEND L \"/a/lib\")"), Paths{"/a/lib"});
  EXPECT_EQ(cmake("find_library(X NAMES x HINTS /data/store/lib)"), Paths{"/data/store/lib"});
  EXPECT_EQ(cmake("set(A [==[/build/x]==])"), Paths{"/build/x"});
  EXPECT_EQ(cmake("set(MKL -Wl,--start-group;/opt/intel/mkl/lib/libmkl_core.a)"),
            Paths{"/opt/intel/mkl/lib/libmkl_core.a"});
}

TEST(CMakePaths, LinesAreCounted) {
  const auto found =
      absolute_paths_in_cmake("# /no/path\nset(A\n  b #[[ /no\n/path ]]\n  \"/a/b\")");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].line, 5U);
}

TEST(CMakePaths, WhatOnlyLooksLikeAPathIsNot) {
  for (const char* text : {
           "# built in /home/builder/pytorch",
           "#[[ /home/builder\n/pytorch ]]",
           "if(_IMPORT_PREFIX STREQUAL \"/\")",
           "set(A \"${_IMPORT_PREFIX}/lib/libtorch.so\")",
           "set(A $<TARGET_FILE_DIR:t>/lib/x)",
           "set(A \"$<INSTALL_INTERFACE:include/x>\")",
           "string(REGEX REPLACE \"/usr/lib/[^/]*\" \"\" A \"${B}\")",
           "string(REGEX MATCH \"^/home/builder.*$\" A \"${B}\")",
           "string(APPEND A \"/lib/x\")",
           "if(A MATCHES \"^/usr/lib/\")",
           "list(FILTER A EXCLUDE REGEX \"/usr/include\")",
           "list(TRANSFORM A APPEND \"/lib/x64\")",
           "message(FATAL_ERROR \"put it into /usr/local/lib\")",
           "set(A \"x\" CACHE PATH \"a folder such as /usr/local/foo\")",
           "option(A \"as in /etc/foo\" ON)",
           "find_path(A x.h DOC \"in /etc/foo\" PATHS /usr/include /opt/x/include)",
           "find_path(A x.h PATH_SUFFIXES /include/x /src/x)",
           "set(A \"/EHsc /W4 /std:c++17 /bigobj\")",
           "set(A \"https://pytorch.org/get-started/locally\")",
           "set(A C:/Program/Files D:/x/y)",
           "set(CUDA_HOME /usr/local/cuda)",
           "set(ROCM_PATH /opt/rocm)",
           "execute_process(COMMAND x OUTPUT_FILE /dev/null)",
           "set(A \"/lib/cmake\" \"/include/torch\")",
           "set(A a/b/c ../x/y ./z)",
           "set(A \"unterminated /home/builder",
           "set(A [=[ unterminated",
       }) {
    if (std::string_view(text).find("unterminated") == std::string_view::npos) {
      EXPECT_EQ(cmake(text), Paths{}) << text;
    } else {
      (void)cmake(text);  // must come back at all
    }
  }
}

TEST(CMakePaths, PkgConfig) {
  const auto found = absolute_paths_in_pkg_config(
      "# /home/builder\nprefix=${pcfiledir}/../..\nDescription: see /usr/share/doc\n"
      "URL: https://pytorch.org/x/y\nlibdir=${prefix}/lib\nCflags: -I${prefix}/include "
      "-I/build/include\nLibs: -L/build/lib -lx\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].path, "/build/include");
  EXPECT_EQ(found[1].line, 7U);
}

}  // namespace
}  // namespace torchpkg::test
