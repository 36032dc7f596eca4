# SPDX-License-Identifier: BSD-3-Clause
# Runs FILE inside a project, as some of CMake's commands are not for scripts.
file(
  WRITE "${TSB_TEST_DIR}/a project/CMakeLists.txt"
  "cmake_minimum_required(VERSION 3.25)
project(superbuild LANGUAGES NONE)
include(\"${CMAKE_CURRENT_LIST_DIR}/${FILE}\")\n"
)
execute_process(
  COMMAND
    "${CMAKE_COMMAND}" -S "${TSB_TEST_DIR}/a project" -B "${TSB_TEST_DIR}/a build" -G Ninja
    "-DTSB_SOURCE_DIR=${TSB_SOURCE_DIR}" "-DTSB_TEST_DIR=${TSB_TEST_DIR}" "-DCASE=${CASE}" COMMAND_ERROR_IS_FATAL ANY
)
