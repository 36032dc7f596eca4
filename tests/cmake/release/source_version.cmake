# SPDX-License-Identifier: BSD-3-Clause
# The version of a PyTorch in a folder of the user's.
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/cmake/release/tsb_source_version.cmake")
set(TSB_PYTORCH_VERSION 9.9.0)
set(folder "${TSB_TEST_DIR}/a folder")
file(WRITE "${folder}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.18 FATAL_ERROR)\n")

# said in version.txt | what counts
foreach(
  case IN ITEMS "9.10.0a0|9.10.0a0" "9.9.0a0|9.9.0" "9.9.0|9.9.0" "9.10.0a0+git1234|9.10.0a0" "main|9.9.0" "|9.9.0"
)
  string(REGEX MATCH "^(.*)[|](.*)$" ignored "${case}")
  set(expected "${CMAKE_MATCH_2}")
  file(WRITE "${folder}/version.txt" "${CMAKE_MATCH_1}\n")
  foreach(local IN ITEMS "${folder}" "")
    set(TSB_LOCAL_pytorch "${local}")
    tsb_source_version(version error)
    if(local STREQUAL "")
      set(expected 9.9.0)
    endif()
    tsb_expect("the version of '${case}' in '${local}'" EQUAL "${version};${error}" "${expected};")
  endforeach()
endforeach()
