# SPDX-License-Identifier: BSD-3-Clause
# A run on another host, or in a container, keeps its folder, although its process is not seen here. CASE boot: a
# lock that names another boot; container: two PID namespaces, in turn. Also where TSB_PYTHON names no Python.
include(${CMAKE_CURRENT_LIST_DIR}/start_elsewhere.cmake)
include(${TSB_SOURCE_DIR}/cmake/lock/tsb_lock.cmake)
set(ENV{TSB_PYTHON} /nowhere/python)
set(folder "${TSB_TEST_DIR}/a folder")
set(inside unshare --pid --fork --mount-proc --kill-child)
set(hold_it ${CMAKE_COMMAND} -DTSB_SOURCE_DIR=${TSB_SOURCE_DIR} "-DFOLDER=${folder}")
execute_process(COMMAND ${inside} true RESULT_VARIABLE no_namespace OUTPUT_QUIET ERROR_QUIET)
if(NOT EXISTS /proc/self/stat)
  message("SKIP: there is no /proc here, so nothing is locked")
  return()
elseif(CASE STREQUAL "container" AND no_namespace)
  message("SKIP: no PID namespace can be made here; root can")
  return()
endif()

# expect_refusal(<output>)
function(expect_refusal output)
  tsb_expect(
    "the message" CONTAINS "${output}" "another run is working in ${folder}: process ${holder} on "
    " or in a container, since 20"
    "-DSECONDS=20 -P ${hold} wait until it has ended, or end it there, then run this again"
  )
endfunction()

start_elsewhere("${folder}" 20)
if(CASE STREQUAL "boot")
  file(READ "${folder}/.lock.json" json)
  string(REPLACE "@" "@another" json "${json}")
  file(WRITE "${folder}/.lock.json" "${json}")
  tsb_lock(DIRECTORY "${folder}" RESULT_ERROR output)
else()
  tsb_run(status output ${inside} ${hold_it} -P ${hold})
  tsb_expect("the run in a container" EQUAL "${status}" 1)
endif()
expect_refusal("${output}")
tsb_expect("the first run goes on" EXISTS /proc/${holder})
execute_process(COMMAND kill -9 ${holder})
tsb_lock(DIRECTORY "${folder}" RESULT_ERROR output)
tsb_expect("after its end" EQUAL "${output}" "")

if(CASE STREQUAL "container")
  set(folder "${TSB_TEST_DIR}/another folder")
  set(start_command ${inside})
  start_elsewhere("${folder}" 20)
  tsb_lock(DIRECTORY "${folder}" RESULT_ERROR output)
  expect_refusal("${output}")
  execute_process(COMMAND kill -9 ${started})
  tsb_lock(DIRECTORY "${folder}" RESULT_ERROR output)
  tsb_expect("after its end" EQUAL "${output}" "")
endif()
