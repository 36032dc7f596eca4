# SPDX-License-Identifier: BSD-3-Clause
# torchpkg is configured and compiled as packages are: nothing of the caller's environment takes part.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(from_caller CXXFLAGS=-DEVIL CMAKE_PREFIX_PATH=/evil CMAKE_TOOLCHAIN_FILE=/evil CMAKE_BUILD_TYPE=Evil CPATH=/evil)
file(
  WRITE "${TSB_TEST_DIR}/project/CMakeLists.txt"
  "cmake_minimum_required(VERSION 3.25)
project(p LANGUAGES NONE)
find_program(CMAKE_CXX_COMPILER c++ REQUIRED)
include(${TSB_SOURCE_DIR}/packaging/cmake/tsb_add_torchpkg.cmake)
tsb_add_torchpkg()\n"
)
unset(ENV{CXXFLAGS})
tsb_run(
  status output ${CMAKE_COMMAND} -E env ${from_caller} CMAKE_TOOLCHAIN_FILE= ${CMAKE_COMMAND} -G Ninja -S
  "${TSB_TEST_DIR}/project" -B "${TSB_TEST_DIR}/build"
)
tsb_expect_end(0)
set(build "${TSB_TEST_DIR}/build/packaging/torchpkg")
tsb_expect_file("torchpkg's cache" LACKS "${build}/CMakeCache.txt" "EVIL" "/evil" "Evil")

# What compiles it.
file(WRITE "${build}/build.ninja" "rule env\n  command = env >environment\nbuild torchpkg: env\n")
find_program(ninja ninja REQUIRED)
tsb_run(
  status output ${CMAKE_COMMAND} -E env ${from_caller} HOME=/mine "PATH=/evil/bin:$ENV{PATH}" ${CMAKE_COMMAND} -D
  "TORCHPKG_BUILD=${build}" -D "NINJA=${ninja}" -P ${TSB_SOURCE_DIR}/packaging/cmake/build_torchpkg.cmake
)
tsb_expect_end(0)
tsb_expect_file("the environment" LACKS "${build}/environment" "EVIL" "/evil" "Evil")
tsb_expect_file("the environment" CONTAINS "${build}/environment" "HOME=/mine")

file(WRITE "${build}/build.ninja" "rule no\n  command = echo x.cpp: error: no && false\nbuild torchpkg: no\n")
tsb_run(
  status output ${CMAKE_COMMAND} -D "TORCHPKG_BUILD=${build}" -D "NINJA=${ninja}" -P
  ${TSB_SOURCE_DIR}/packaging/cmake/build_torchpkg.cmake
)
tsb_expect_end(1 "x.cpp: error: no" "error: torchpkg cannot be compiled, for the reason above")
