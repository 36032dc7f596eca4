# SPDX-License-Identifier: BSD-3-Clause
# Product code does not name a release: what is true of one is in its folder. Links to where something was read may.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/data/tsb_list_data.cmake)
tsb_list_data(releases releases)
foreach(version IN LISTS releases)
  string(REGEX REPLACE "\\.[0-9]+$" "" short "${version}")
  execute_process(
    COMMAND
      grep -rnF -e "${version}" -e "PyTorch ${short}" CMakeLists.txt bootstrap.sh cmake engine packaging superbuild
      tools --include=*.cmake --include=CMakeLists.txt --include=*.sh --include=*.in --include=*.py --include=*.h
      --include=*.cpp
    COMMAND grep -v "github[.]com"
    WORKING_DIRECTORY "${TSB_SOURCE_DIR}"
    OUTPUT_VARIABLE found
  )
  tsb_expect("lines that name PyTorch ${version}" EQUAL "${found}" "")
endforeach()
