# SPDX-License-Identifier: BSD-3-Clause
# Where the data of a release is found: in the folder of TSB_ADDITIONS first, then in the project.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/data/tsb_list_data.cmake)
include(${TSB_SOURCE_DIR}/cmake/release/tsb_read_release.cmake)

unset(ENV{TSB_ADDITIONS})
tsb_list_data(own releases)
list(GET own 0 newest)
tsb_find_data(folder releases/${newest})
tsb_expect("the project's" EQUAL "${folder}" "${TSB_SOURCE_DIR}/releases/${newest}")
tsb_find_data(folder releases/9.9.0)
tsb_expect("none" EQUAL "${folder}" "")
tsb_read_release(facts 9.9.0)
tsb_expect("none" EQUAL "${facts}" "")
tsb_expect("a README is not a release" LACKS "${own}" README)

set(ENV{TSB_ADDITIONS} "${TSB_TEST_DIR}/with blank")
file(WRITE "${TSB_TEST_DIR}/with blank/releases/9.9.0/release.json" "{}")
file(WRITE "${TSB_TEST_DIR}/with blank/releases/9.10.0/release.json" "{\"triton\": \"1\"}")
file(WRITE "${TSB_TEST_DIR}/with blank/releases/${newest}/release.json" "{\"of\": \"theirs\"}")
tsb_list_data(all releases)
tsb_expect("the highest first, each once" EQUAL "${all}" "9.10.0;9.9.0;${own}")
tsb_read_release(facts ${newest})
tsb_expect("the addition goes first" EQUAL "${facts}" "{\"of\": \"theirs\"}")
tsb_find_data(folder releases/9.9.0)
tsb_expect("an addition" EQUAL "${folder}" "${TSB_TEST_DIR}/with blank/releases/9.9.0")

file(RELATIVE_PATH relative "${TSB_SOURCE_DIR}" "${TSB_TEST_DIR}/with blank")
set(ENV{TSB_ADDITIONS} "${relative}")
tsb_find_data(folder releases/9.9.0)
tsb_expect("from the project's folder" EQUAL "${folder}" "${TSB_TEST_DIR}/with blank/releases/9.9.0")

# A value that would fall apart in CMake's lists.
file(WRITE "${TSB_TEST_DIR}/bad/releases/9.9.0/release.json" "{\"archs\": \"8.0;9.0\"}")
file(
  WRITE "${TSB_TEST_DIR}/read.cmake"
  "set(ENV{TSB_ADDITIONS} \"${TSB_TEST_DIR}/bad\")
include(${TSB_SOURCE_DIR}/cmake/release/tsb_read_release.cmake)
tsb_read_release(facts 9.9.0)\n"
)
execute_process(COMMAND ${CMAKE_COMMAND} -P "${TSB_TEST_DIR}/read.cmake" RESULT_VARIABLE status ERROR_VARIABLE output)
tsb_expect("status" EQUAL "${status}" 1)
tsb_expect("a semicolon" CONTAINS "${output}" "release.json holds a ';'")
tsb_expect("remedy" CONTAINS "${output}" "write lists as JSON arrays")
