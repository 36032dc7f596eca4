# SPDX-License-Identifier: BSD-3-Clause
# Runs test_NAME.py, the tests of one part of the runner, in a folder of its own.
find_program(python NAMES python3 REQUIRED)
execute_process(
  COMMAND "${python}" -B "${CMAKE_CURRENT_LIST_DIR}/test_${NAME}.py" --verbose
  WORKING_DIRECTORY "${TSB_TEST_DIR}" COMMAND_ERROR_IS_FATAL ANY
)
