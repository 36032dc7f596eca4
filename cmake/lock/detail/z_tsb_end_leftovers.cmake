# SPDX-License-Identifier: BSD-3-Clause
# z_tsb_end_leftovers(<folder> <start> <session> <spared pids>): ends the build tools that a killed run left behind.
# When only the topmost process is killed, its ninja works on, and would write the same files as the next run.
#
# Ended is only what works in the folder, is a build tool by its name, belongs to the killed run's session, started
# after it, and is an orphan: what a living shell started, such as a ctest beside, is somebody's own run. A build tool
# that is asked to end takes its own children along.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_process.cmake)

# The leftovers' pids.
function(z_tsb_leftovers result folder start session spared)
  set(found "")
  get_property(build_tools GLOBAL PROPERTY TSB_BUILD_TOOLS)
  string(REGEX REPLACE "@.*" "" ticks "${start}")
  string(REGEX REPLACE ".*@" "" boot "${start}")
  file(REAL_PATH "${folder}" folder)
  execute_process(
    # What works in the folder, or below it.
    COMMAND find /proc -maxdepth 2 -name cwd "(" -lname "${folder}" -o -lname "${folder}/*" ")" OUTPUT_VARIABLE links
    ERROR_QUIET
  )
  string(REGEX MATCHALL "/proc/[0-9]+/cwd" links "${links}")
  foreach(link IN LISTS links)
    string(REGEX REPLACE "[^0-9]" "" pid "${link}")
    z_tsb_process(process ${pid})
    z_tsb_process(parent "${process_PARENT}")
    if(
      NOT process_PID STREQUAL ""
      AND NOT pid IN_LIST spared
      AND process_NAME MATCHES "${build_tools}"
      AND process_SESSION STREQUAL session
      AND process_START STREQUAL "${process_TICKS}@${boot}"
      AND NOT process_TICKS LESS ticks
      AND (process_PARENT EQUAL 1 OR NOT parent_SESSION STREQUAL session)
    )
      list(APPEND found ${pid})
    endif()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

function(z_tsb_end_leftovers folder start session spared)
  if(NOT start MATCHES "^[0-9]+@." OR NOT session MATCHES "^[0-9]+$")
    return()
  endif()
  foreach(attempt RANGE 100)
    z_tsb_leftovers(pids "${folder}" "${start}" "${session}" "${spared}")
    if(pids STREQUAL "")
      return()
    endif()
    if(attempt EQUAL 0)
      list(JOIN pids ", " text)
      message(NOTICE "A killed run left processes behind in ${folder}, ending them: ${text}")
      # The shell's own: small images have no program of that name.
      execute_process(COMMAND sh -c "kill \"$@\"" sh ${pids} ERROR_QUIET)
    endif()
    execute_process(COMMAND sleep 0.1)
  endforeach()
  execute_process(COMMAND sh -c "kill -9 \"$@\"" sh ${pids} ERROR_QUIET)
  execute_process(COMMAND sleep 0.5)
  z_tsb_leftovers(pids "${folder}" "${start}" "${session}" "${spared}")
  if(NOT pids STREQUAL "")
    list(JOIN pids ", " text)
    tsb_fail("processes of a killed run still work in ${folder}: ${text}" "end them, then run this again")
  endif()
endfunction()
