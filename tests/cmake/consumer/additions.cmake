# SPDX-License-Identifier: BSD-3-Clause
# A backend of TSB_ADDITIONS brings checks of its own into the consumer's program and into the script for wheels; every
# command of the consumer's checks gets the folder.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(additions "${TSB_TEST_DIR}/the additions")
file(WRITE "${additions}/backends/abacus/consumer/checks.cmake" "message(STATUS \"checks of abacus\")\n")
file(WRITE "${additions}/backends/abacus/consumer/wheel_gpu_checks.py" "CHECKS = ['beads']\n")
tsb_run(
  status output ${CMAKE_COMMAND} -E env "TSB_ADDITIONS=${additions}" ${CMAKE_COMMAND} -P
  ${TSB_SOURCE_DIR}/packaging/consumer/checks_of_backends.cmake
)
tsb_expect_end(0 "checks of abacus")
tsb_run(
  status output ${CMAKE_COMMAND} -E env "TSB_ADDITIONS=${additions}" python3 -B -c
  "import wheel_checks; print(wheel_checks.find_gpu_checks({'abacus': {}, 'version': ''}).CHECKS)" IN
  ${TSB_SOURCE_DIR}/packaging/consumer
)
tsb_expect_end(0 "['beads']")

file(RELATIVE_PATH relative "${TSB_SOURCE_DIR}" "${additions}")
set(ENV{TSB_ADDITIONS} "${relative}")
set(TSB_WORK "${TSB_TEST_DIR}/work")
file(MAKE_DIRECTORY "${TSB_WORK}/log")
include(${TSB_SOURCE_DIR}/packaging/consumer_check/steps.cmake)
set(system_path "$ENV{PATH}")
run(here env IN "${TSB_TEST_DIR}" COMMAND env)
tsb_expect_file("a command" CONTAINS "${log}" "TSB_ADDITIONS=${additions}")
