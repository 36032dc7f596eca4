# SPDX-License-Identifier: BSD-3-Clause
# Compiles torchpkg as packages are compiled. In: TORCHPKG_BUILD, its build folder; NINJA, CACHE, the tools.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/tsb_fail.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/tsb_progress.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/isolation/tsb_clean_environment.cmake)
tsb_progress("torchpkg")
set(jobs "")
if(NOT "$ENV{TSB_JOBS}" STREQUAL "")
  set(jobs -j $ENV{TSB_JOBS})
endif()
tsb_clean_environment(clean "${NINJA}" "${CACHE}")
execute_process(
  COMMAND ${clean} "${NINJA}" -C "${TORCHPKG_BUILD}" ${jobs} torchpkg OUTPUT_VARIABLE output RESULT_VARIABLE status
)
if(NOT status EQUAL 0)
  message(NOTICE "${output}")
  tsb_fail("torchpkg cannot be compiled, for the reason above" "correct that, and run the same command again")
endif()
