# SPDX-License-Identifier: BSD-3-Clause
# A killed run's ninja goes on without it: the next run ends it, and only it.
include(${CMAKE_CURRENT_LIST_DIR}/start_elsewhere.cmake)
include(${TSB_SOURCE_DIR}/cmake/lock/tsb_lock.cmake)
if(NOT EXISTS /proc/self/stat)
  message("SKIP: there is no /proc here, so nothing is locked")
  return()
endif()
set(folder "${TSB_TEST_DIR}/a folder")
set(inside "${folder}/package build")
foreach(name IN ITEMS "${inside}" "${TSB_TEST_DIR}/a folder beside")
  file(WRITE "${name}/build.ninja" "rule wait\n  command = touch started && sleep 30\nbuild x: wait\n")
endforeach()

# Another build, elsewhere, that has nothing to do with it.
execute_process(
  COMMAND sh -c "ninja >/dev/null 2>&1 & echo $!"
  WORKING_DIRECTORY "${TSB_TEST_DIR}/a folder beside"
  OUTPUT_VARIABLE other
  OUTPUT_STRIP_TRAILING_WHITESPACE
)
set(start_arguments -DINSIDE=${inside})
start_elsewhere("${folder}" 0)
foreach(attempt RANGE 100)
  if(EXISTS "${inside}/started")
    break()
  endif()
  execute_process(COMMAND sleep 0.05)
endforeach()
tsb_expect("the build in the folder" EXISTS "${inside}/started")
# A build below the folder that a living shell of the same session has started since.
file(WRITE "${folder}/own/build.ninja" "rule wait\n  command = sleep 30\nbuild x: wait\n")
execute_process(
  COMMAND
    sh -c
    "(ninja >/dev/null 2>&1 & echo $! >pid; wait) >/dev/null 2>&1 & until [ -s pid ]; do sleep 0.05; done; cat pid"
  WORKING_DIRECTORY "${folder}/own"
  OUTPUT_VARIABLE own
  OUTPUT_STRIP_TRAILING_WHITESPACE
)
execute_process(COMMAND kill -9 ${holder})

file(READ "${folder}/.lock.json" json)
string(JSON start GET "${json}" start)
string(JSON session GET "${json}" session)
z_tsb_root_process(self "${folder}")
foreach(attempt RANGE 50)
  z_tsb_process(process ${holder})
  if(process_PID STREQUAL "")
    break()
  endif()
  execute_process(COMMAND sleep 0.05)
endforeach()
z_tsb_leftovers(left "${folder}" "${start}" "${session}" "${self_CHAIN}")
list(LENGTH left count)
tsb_expect("left behind (the ninja)" EQUAL ${count} 1)
tsb_lock(DIRECTORY "${folder}" RESULT_ERROR error)
tsb_expect("the lock" EQUAL "${error}" "")
z_tsb_process(process ${left})
tsb_expect("the ninja" EQUAL "${process_PID}" "")
foreach(spared IN ITEMS ${other} ${own})
  z_tsb_process(process ${spared})
  execute_process(COMMAND kill ${spared})
  tsb_expect("the other build" EQUAL "${process_NAME}" ninja)
endforeach()
