# SPDX-License-Identifier: BSD-3-Clause
# Takes the lock of FOLDER, as configure does, and says so, then runs COMMAND.
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/one_run/tsb_lock.cmake)
tsb_lock(error "${FOLDER}")
if(error)
  message(FATAL_ERROR "${error}")
endif()
string(RANDOM LENGTH 12 name)
file(TOUCH "${FOLDER}/held-${name}")
execute_process(COMMAND ${COMMAND} RESULTS_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${status}")
endif()
