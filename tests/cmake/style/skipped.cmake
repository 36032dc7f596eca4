# SPDX-License-Identifier: BSD-3-Clause
# ctest ends with what was not checked, and why.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
file(
  WRITE ${TSB_TEST_DIR}/CTestTestfile.cmake
  [[
add_test(a.one sh -c "echo 'SKIP: x is not installed; do y'")
set_tests_properties(a.one PROPERTIES SKIP_REGULAR_EXPRESSION "SKIP: ")
add_test(a.two true)
]]
)
set(script ${TSB_SOURCE_DIR}/tests/say_skipped.cmake)
file(WRITE ${TSB_TEST_DIR}/CTestCustom.cmake "set(CTEST_CUSTOM_POST_TEST \"'${CMAKE_COMMAND}' -P '${script}'\")\n")
tsb_run(status output ${CMAKE_CTEST_COMMAND} --test-dir ${TSB_TEST_DIR})
tsb_expect_end(0 "not checked: a.one: x is not installed; do y")
tsb_expect("what passed" LACKS "${output}" "not checked: a.two")
file(READ ${TSB_SOURCE_DIR}/tests/CMakeLists.txt text)
tsb_expect("the tests have it" CONTAINS "${text}" "say_skipped.cmake" "CTEST_CUSTOM_POST_TEST")

# What cannot run in one part does not hide a failure of another.
set(
  run "${CMAKE_COMMAND}" "-DSCRIPT=${TSB_TEST_DIR}/one.cmake" "-DEXPECTATIONS=${TSB_TEST_DIR}/none.cmake"
      "-DTSB_TEST_DIR=${TSB_TEST_DIR}/one" -P ${TSB_SOURCE_DIR}/tests/cmake/run_script_test.cmake
)
file(WRITE ${TSB_TEST_DIR}/none.cmake "")
file(WRITE ${TSB_TEST_DIR}/one.cmake "message(\"SKIP: x is not installed\")\n")
# Not tsb_run(), which shows the output, and CTest would take that for this test's own.
execute_process(
  COMMAND ${run}
  RESULT_VARIABLE status
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
)
tsb_expect("skipped" EQUAL "${status}" 0)
tsb_expect("skipped" CONTAINS "${output}" "SKIP: x")
file(APPEND ${TSB_TEST_DIR}/one.cmake "message(FATAL_ERROR \"a fault\")\n")
execute_process(
  COMMAND ${run}
  RESULT_VARIABLE status
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
)
tsb_expect("failed" EQUAL "${status}" 1)
tsb_expect("failed" LACKS "${output}" "SKIP: x")
