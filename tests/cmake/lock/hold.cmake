# SPDX-License-Identifier: BSD-3-Clause
# Takes the lock of FOLDER and says so, then holds it for SECONDS.
include(${TSB_SOURCE_DIR}/cmake/lock/tsb_lock.cmake)
tsb_lock(DIRECTORY ${FOLDER} RESULT_ERROR error)
if(error)
  message(FATAL_ERROR "${error}")
endif()
string(RANDOM LENGTH 12 name)
file(TOUCH ${FOLDER}/held-${name})
if(SECONDS)
  execute_process(COMMAND sleep ${SECONDS})
endif()
