# SPDX-License-Identifier: BSD-3-Clause
# torchpkg is configured and compiled as packages are: nothing of the caller's environment takes part.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(from_caller CXXFLAGS=-DEVIL CMAKE_PREFIX_PATH=/evil CMAKE_TOOLCHAIN_FILE=/evil CMAKE_BUILD_TYPE=Evil CPATH=/evil)
file(
  WRITE "${TSB_TEST_DIR}/project/CMakeLists.txt"
  "cmake_minimum_required(VERSION 3.25)
project(p LANGUAGES NONE)
find_program(CMAKE_CXX_COMPILER c++ REQUIRED)
find_program(TSB_CODEGEN_PYTHON python3 REQUIRED)
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
function(compile status_wanted command)
  file(WRITE "${build}/build.ninja" "rule run\n  command = ${command}\nbuild torchpkg: run\n")
  tsb_run(
    status output ${CMAKE_COMMAND} -E env ${from_caller} HOME=/mine "PATH=/evil/bin:$ENV{PATH}" ${CMAKE_COMMAND}
    --build "${TSB_TEST_DIR}/build" --target torchpkg
  )
  tsb_expect_end(${status_wanted} ${ARGN})
endfunction()
compile(0 "env >environment" "torchpkg build done in")
tsb_expect_file("the environment" LACKS "${build}/environment" "EVIL" "/evil" "Evil")
tsb_expect_file("the environment" CONTAINS "${build}/environment" "HOME=/mine")
compile(
  1 "echo x.cpp: error: no && false" "torchpkg build failed (exit 1)" "x.cpp: error: no log: ${build}/log/build.log"
)
