# SPDX-License-Identifier: BSD-3-Clause
# Runs the file TEST, tests of Python's unittest, in a folder of its own.
find_program(python NAMES python3 REQUIRED)
execute_process(
  COMMAND "${python}" -B "${TEST}" --verbose WORKING_DIRECTORY "${TSB_TEST_DIR}" COMMAND_ERROR_IS_FATAL ANY
)
