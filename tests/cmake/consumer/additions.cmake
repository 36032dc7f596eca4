# SPDX-License-Identifier: BSD-3-Clause
# A backend of TSB_ADDITIONS brings checks of its own into the consumer's program and into the script for wheels; every
# command of the consumer's checks gets the folder.
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
  status output ${CMAKE_COMMAND} -E env "TSB_ADDITIONS=${additions}" "PYTHONPATH=${TSB_SOURCE_DIR}" python3 -B -c
  "import wheel_checks; print(wheel_checks.find_gpu_checks({'abacus': {}, 'version': ''}).CHECKS)" IN
  ${TSB_SOURCE_DIR}/packaging/consumer
)
tsb_expect_end(0 "['beads']")

file(RELATIVE_PATH relative "${TSB_SOURCE_DIR}" "${additions}")
file(WRITE "${TSB_TEST_DIR}/torch-1.0-py3-none-any.whl" "")
file(WRITE "${TSB_TEST_DIR}/wheel_checks.py" "")
tsb_run(
  status output ${CMAKE_COMMAND} -E env "TSB_ADDITIONS=${relative}" ${CMAKE_COMMAND} -S
  ${TSB_SOURCE_DIR}/packaging/consumer_check -B "${TSB_TEST_DIR}/check"
  "-DTSB_PACKAGE=${TSB_TEST_DIR}/torch-1.0-py3-none-any.whl" "-DTSB_CONSUMER=${TSB_TEST_DIR}"
  "-DTSB_PYTHON=${CMAKE_COMMAND}"
)
tsb_expect_end(0)
tsb_expect_file("a test" CONTAINS "${TSB_TEST_DIR}/check/CTestTestfile.cmake" "TSB_ADDITIONS=${additions}")
