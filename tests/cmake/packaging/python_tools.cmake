# SPDX-License-Identifier: BSD-3-Clause
# Fetches the libraries of packaging/libraries/requirements.txt into the folder TOOLS, for the tests that need them.
find_program(python python3 REQUIRED)
execute_process(
  COMMAND "${python}" -I -B "${TSB_SOURCE_DIR}/engine" "${TSB_SOURCE_DIR}/packaging/libraries/fetch_wheels.py" --cache
          "${TOOLS}/wheels" --target "${TOOLS}/modules" --tools "${TSB_SOURCE_DIR}/packaging/libraries/requirements.txt"
  RESULT_VARIABLE status
)
if(NOT status EQUAL 0)
  message("SKIP: pip has no index with the libraries that make wheels and conda packages")
endif()
