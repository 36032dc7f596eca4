# SPDX-License-Identifier: BSD-3-Clause
# Exactly one of several runs that start at the same time gets the folder.
include(${CMAKE_CURRENT_LIST_DIR}/start_elsewhere.cmake)
if(NOT EXISTS /proc/self/stat)
  message("SKIP: there is no /proc here, so nothing is locked")
  return()
endif()
set(folder ${TSB_TEST_DIR}/f)
execute_process(
  COMMAND sh -c "for i in 1 2 3 4 5 6; do \"$@\" >/dev/null 2>&1 & done" sh ${CMAKE_COMMAND}
          -DTSB_SOURCE_DIR=${TSB_SOURCE_DIR} -DFOLDER=${folder} -DSECONDS=3 -P ${hold}
)
execute_process(COMMAND sleep 2)
file(GLOB held ${folder}/held-*)
list(LENGTH held count)
tsb_expect("runs that hold the folder" EQUAL ${count} 1)
