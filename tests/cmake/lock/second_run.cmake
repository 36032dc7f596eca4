# SPDX-License-Identifier: BSD-3-Clause
# While another run holds the folder, a second one is told who does, without a password, and changes nothing.
include(${CMAKE_CURRENT_LIST_DIR}/start_elsewhere.cmake)
if(NOT EXISTS /proc/self/stat)
  message("SKIP: there is no /proc here, so nothing is locked")
  return()
endif()
set(folder "${TSB_TEST_DIR}/a build folder")
set(start_arguments "-DMIRROR=https://me:s3@cret@mirror/a")
start_elsewhere(${folder} 20)
file(READ ${folder}/.lock.json before)
tsb_run(status output ${CMAKE_COMMAND} -DTSB_SOURCE_DIR=${TSB_SOURCE_DIR} -DFOLDER=${folder} -P ${hold})
execute_process(COMMAND kill ${holder})
file(READ ${folder}/.lock.json after)
tsb_expect("the second run" EQUAL "${status}" 1)
tsb_expect(
  "the message" CONTAINS "${output}" "another run is working in ${folder}: process ${holder}, since 20"
  "-DSECONDS=20 -DMIRROR=https://mirror/a -P ${hold}"
  "wait until it has ended, or end it (kill ${holder}), then run this again"
)
tsb_expect("the message" LACKS "${output}" "Call Stack")
tsb_expect("the lock" EQUAL "${after}" "${before}")

# Two that one make runs at once are two runs. The shell is called make, and starts what start_elsewhere() starts twice.
file(REAL_PATH /bin/sh shell)
file(COPY_FILE ${shell} ${TSB_TEST_DIR}/make)
set(twice "\"$@\" & sleep 0.1; until test -e '${TSB_TEST_DIR}/f/.lock.json'; do sleep 0.1; done")
string(APPEND twice "; \"$@\" >'${TSB_TEST_DIR}/output' 2>&1; echo $? >'${TSB_TEST_DIR}/status'; wait")
file(WRITE ${TSB_TEST_DIR}/twice "${twice}\n")
set(start_command ${TSB_TEST_DIR}/make ${TSB_TEST_DIR}/twice)
start_elsewhere(${TSB_TEST_DIR}/f 20)
foreach(attempt RANGE 400)
  if(EXISTS ${TSB_TEST_DIR}/status)
    break()
  endif()
  execute_process(COMMAND sleep 0.05)
endforeach()
execute_process(COMMAND kill ${holder})
file(READ ${TSB_TEST_DIR}/output output)
file(READ ${TSB_TEST_DIR}/status status)
tsb_expect("the second run of a make" EQUAL "${status}" "1\n")
tsb_expect(
  "the message" CONTAINS "${output}" "another run is working in ${TSB_TEST_DIR}/f: process ${holder}, since 20"
)
