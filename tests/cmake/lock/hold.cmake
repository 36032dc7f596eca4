# SPDX-License-Identifier: BSD-3-Clause
# Takes the lock of FOLDER and says so, then runs COMMAND. With RESULT it reports as CMakeLists.txt does.
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/lock/tsb_lock.cmake)
set(error "")
tsb_lock(DIRECTORY "${FOLDER}" ${RESULT})
if(error)
  message(FATAL_ERROR "${error}")
endif()
string(RANDOM LENGTH 12 name)
file(TOUCH "${FOLDER}/held-${name}")
execute_process(COMMAND ${COMMAND} RESULTS_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${status}")
endif()
