# SPDX-License-Identifier: BSD-3-Clause
# The steps of one run have the same topmost build tool, so they pass; and they pass again.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/lock/tsb_lock.cmake)
tsb_lock(DIRECTORY ${TSB_TEST_DIR}/f)
foreach(step RANGE 1)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -DTSB_SOURCE_DIR=${TSB_SOURCE_DIR} -DFOLDER=${TSB_TEST_DIR}/f -P
            ${CMAKE_CURRENT_LIST_DIR}/hold.cmake COMMAND_ERROR_IS_FATAL ANY
  )
endforeach()
