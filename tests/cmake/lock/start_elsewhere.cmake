# SPDX-License-Identifier: BSD-3-Clause
# start_elsewhere(<folder> <seconds>): starts a run that holds the folder and is not a descendant of the build tools
# that this test runs below, and waits until it holds it. Sets holder to its pid, and started to what it is here, where
# start_command puts it into a container.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(hold ${CMAKE_CURRENT_LIST_DIR}/hold.cmake)
function(start_elsewhere folder seconds)
  # The shell ends at once, so that its child is adopted by a process that is not a build tool.
  execute_process(
    COMMAND sh -c "\"$@\" >/dev/null 2>&1 & echo $!" sh ${start_command} ${CMAKE_COMMAND}
            -DTSB_SOURCE_DIR=${TSB_SOURCE_DIR} -DFOLDER=${folder} -DSECONDS=${seconds} ${start_arguments} -P ${hold}
    OUTPUT_VARIABLE pid OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  set(started ${pid} PARENT_SCOPE)
  foreach(attempt RANGE 100)
    if(EXISTS ${folder}/.lock.json)
      file(READ ${folder}/.lock.json json)
      string(JSON pid GET "${json}" pid)
      set(holder ${pid} PARENT_SCOPE)
      return()
    endif()
    execute_process(COMMAND sleep 0.05)
  endforeach()
  message(FATAL_ERROR "no run took the lock of ${folder}")
endfunction()
