# SPDX-License-Identifier: BSD-3-Clause
# Runs the file TEST, tests of Python's unittest, in a folder of its own. They find box.py, and modules of fixtures/.
find_program(python NAMES python3 REQUIRED)
get_filename_component(folder "${TEST}" DIRECTORY)
get_filename_component(file "${TEST}" NAME)
set(ENV{PYTHONPATH} "${CMAKE_CURRENT_LIST_DIR}:${CMAKE_CURRENT_LIST_DIR}/../fixtures")
execute_process(
  COMMAND "${python}" -B -m unittest discover --verbose --start-directory "${folder}" --pattern "${file}"
  WORKING_DIRECTORY "${TSB_TEST_DIR}" COMMAND_ERROR_IS_FATAL ANY
)
