# SPDX-License-Identifier: BSD-3-Clause
# tsb_add_plan replaces plan/run.json, which may be one file with that in the last run's folder.
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/cmake/one_run/tsb_add_plan.cmake")
function(add_custom_target) # a script has none

endfunction()
set(CMAKE_BINARY_DIR "${TSB_TEST_DIR}/build")
set(file "${CMAKE_BINARY_DIR}/plan/run.json")
file(WRITE "${file}" "old")
file(CREATE_LINK "${file}" "${TSB_TEST_DIR}/of_the_run.json")
set(TSB_PRESET "cpu-all")
tsb_add_plan()
file(READ "${file}" now)
file(READ "${TSB_TEST_DIR}/of_the_run.json" kept)
tsb_expect("what is to be made" CONTAINS "${now}" "\"preset\": \"cpu-all\"")
tsb_expect("that of the run" EQUAL "${kept}" "old")
