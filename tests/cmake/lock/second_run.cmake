# SPDX-License-Identifier: BSD-3-Clause
# While another run holds the folder, a second one is told who does, and changes nothing.
include(${CMAKE_CURRENT_LIST_DIR}/start_elsewhere.cmake)
if(NOT EXISTS /proc/self/stat)
  message("SKIP: there is no /proc here, so nothing is locked")
  return()
endif()
set(folder "${TSB_TEST_DIR}/a build folder")
start_elsewhere(${folder} 20)
file(READ ${folder}/.lock.json before)
tsb_run(status output ${CMAKE_COMMAND} -DTSB_SOURCE_DIR=${TSB_SOURCE_DIR} -DFOLDER=${folder} -P ${hold})
execute_process(COMMAND kill ${holder})
file(READ ${folder}/.lock.json after)
tsb_expect("the second run" EQUAL "${status}" 1)
tsb_expect(
  "the message" CONTAINS "${output}" "another run is working in ${folder}: process ${holder}, since 20"
  "-DSECONDS=20 -P ${hold}" "wait until it has ended, or end it (kill ${holder}), then run this again"
)
tsb_expect("the message" LACKS "${output}" "Call Stack")
tsb_expect("the lock" EQUAL "${after}" "${before}")
