# SPDX-License-Identifier: BSD-3-Clause
# The steps of one run have the same topmost build tool, so they pass; and they pass again. A ctest that runs such a run
# as a test is none of its tools, so the lock does not last as long as that one.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/lock/tsb_lock.cmake)
tsb_lock(DIRECTORY ${TSB_TEST_DIR}/f)
foreach(step RANGE 1)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -DTSB_SOURCE_DIR=${TSB_SOURCE_DIR} -DFOLDER=${TSB_TEST_DIR}/f -P
            ${CMAKE_CURRENT_LIST_DIR}/hold.cmake COMMAND_ERROR_IS_FATAL ANY
  )
endforeach()

if(NOT EXISTS /proc/self/stat)
  return()
endif()
file(READ ${TSB_TEST_DIR}/f/.lock.json json)
string(JSON pid GET "${json}" pid)
z_tsb_process(holder ${pid})
tsb_expect("the holder" EQUAL "${holder_NAME}" cmake)

# The kernel's lock is taken again when the process that had it for the run is gone.
z_tsb_is_held(held ${TSB_TEST_DIR}/f)
tsb_expect("the kernel's lock" EQUAL "${held}" ON)
execute_process(
  COMMAND find /proc -maxdepth 2 -name cmdline -path "/proc/[0-9]*" -exec grep -qF "${TSB_TEST_DIR}/f/.lock.held" {} ";"
          -print OUTPUT_VARIABLE files ERROR_QUIET
)
string(REGEX MATCHALL "[0-9]+" pids "${files}")
foreach(pid IN LISTS pids)
  z_tsb_process(process ${pid})
  if(process_NAME MATCHES "^python")
    execute_process(COMMAND kill ${pid})
  endif()
endforeach()
foreach(attempt RANGE 100)
  z_tsb_is_held(held ${TSB_TEST_DIR}/f)
  if(NOT held)
    break()
  endif()
  execute_process(COMMAND sleep 0.05)
endforeach()
tsb_expect("the kernel's lock" EQUAL "${held}" OFF)
tsb_lock(DIRECTORY ${TSB_TEST_DIR}/f)
z_tsb_is_held(held ${TSB_TEST_DIR}/f)
tsb_expect("the kernel's lock" EQUAL "${held}" ON)

# Nothing that runs holds it.
function(z_tsb_is_held out folder)
  set(${out} OFF PARENT_SCOPE)
endfunction()
set(words "no Python runs that could hold the lock of ${TSB_TEST_DIR}/f, so another run could work in it, too")
string(APPEND words " install python3, or set TSB_PYTHON to one that runs, then run this again")
tsb_lock(DIRECTORY ${TSB_TEST_DIR}/f RESULT_ERROR error)
tsb_expect("the error" CONTAINS "${error}" "${words}")
tsb_lock(DIRECTORY ${TSB_TEST_DIR}/f RESULT_ERROR error RESULT_NOT_HELD not_held)
tsb_expect("what the doctor goes before" CONTAINS "${not_held}" "${words}")
tsb_expect("another run" EQUAL "${error}" "")
