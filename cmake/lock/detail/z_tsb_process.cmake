# SPDX-License-Identifier: BSD-3-Clause
# Looks at processes through /proc. Nothing here works, or fails, where there is no /proc: the results are empty.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25)

# z_tsb_process(<prefix> <pid>|self): sets <prefix>_PID, _PARENT, _NAME, _SESSION, _TICKS (when it started) and _START,
# "<ticks>@<boot> <PID namespace>", which together with the pid names a process for good: pids are used again, and each
# container has its own. Empty when there is none, or only its remains (a zombie).
function(z_tsb_process prefix pid)
  foreach(field IN ITEMS PID PARENT NAME SESSION TICKS START)
    set(${prefix}_${field} "" PARENT_SCOPE)
  endforeach()
  if(NOT EXISTS /proc/${pid}/stat)
    return()
  endif()
  if(pid STREQUAL "self")
    file(READ /proc/self/stat stat)
  else()
    # It can end between the question and the reading: file(READ) would fail then, this does not.
    execute_process(COMMAND cat /proc/${pid}/stat OUTPUT_VARIABLE stat ERROR_QUIET)
  endif()
  # pid (name, which may hold blanks and brackets) state parent ...; the start is field 22. Z and X are remains.
  if(NOT stat MATCHES "^([0-9]+) \\((.*)\\) [A-WY] ([0-9]+) (.*)$")
    return()
  endif()
  set(${prefix}_PID ${CMAKE_MATCH_1} PARENT_SCOPE)
  set(${prefix}_NAME "${CMAKE_MATCH_2}" PARENT_SCOPE)
  set(${prefix}_PARENT ${CMAKE_MATCH_3} PARENT_SCOPE)
  string(REPLACE " " ";" fields "${CMAKE_MATCH_4}")
  list(GET fields 1 session)
  list(GET fields 17 ticks)
  set(${prefix}_SESSION ${session} PARENT_SCOPE)
  set(${prefix}_TICKS ${ticks} PARENT_SCOPE)
  set(boot "")
  if(EXISTS /proc/sys/kernel/random/boot_id)
    file(STRINGS /proc/sys/kernel/random/boot_id boot LIMIT_COUNT 1)
  endif()
  execute_process(
    COMMAND readlink /proc/self/ns/pid OUTPUT_VARIABLE namespace OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
  )
  set(${prefix}_START "${ticks}@${boot} ${namespace}" PARENT_SCOPE)
endfunction()

# z_tsb_command_line(<result> <pid>): the command line with blanks between its arguments.
function(z_tsb_command_line result pid)
  execute_process(
    COMMAND tr "\\000" " "
    INPUT_FILE /proc/${pid}/cmdline
    OUTPUT_VARIABLE line
    ERROR_QUIET
  )
  string(STRIP "${line}" line)
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

# Names of build tools.
set_property(GLOBAL PROPERTY TSB_BUILD_TOOLS "^(cmake|ccmake|ctest|cpack|ninja|ninja-build|make|gmake)$")

# z_tsb_root_process(<prefix> <folder>): of this process and its ancestors the topmost that is a build tool. All steps
# of one workflow have the same. A ctest of another folder, and what is above it, runs tests, of which each is a run of
# its own. So are the commands of a user's make, which may run two at once. Sets what z_tsb_process() does, and
# <prefix>_CHAIN to the pids of this process and all its ancestors.
function(z_tsb_root_process prefix folder)
  get_property(build_tools GLOBAL PROPERTY TSB_BUILD_TOOLS)
  set(fields PID PARENT NAME SESSION TICKS START)
  set(chain "")
  set(found_PID "")
  set(of_this_run ON)
  file(REAL_PATH "${folder}" folder)
  z_tsb_process(process self)
  while(NOT process_PID STREQUAL "")
    list(APPEND chain ${process_PID})
    if(process_NAME STREQUAL "ctest")
      execute_process(
        COMMAND readlink /proc/${process_PID}/cwd OUTPUT_VARIABLE place OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
      )
      string(FIND "${place}/" "${folder}/" at)
      if(NOT at EQUAL 0)
        set(of_this_run OFF)
      endif()
    endif()
    set(can_be_root OFF)
    if(process_NAME MATCHES "${build_tools}" AND NOT process_NAME MATCHES "^g?make$")
      set(can_be_root ON)
    endif()
    if(of_this_run AND (found_PID STREQUAL "" OR can_be_root))
      foreach(field IN LISTS fields)
        set(found_${field} "${process_${field}}")
      endforeach()
    endif()
    z_tsb_process(process ${process_PARENT})
  endwhile()
  foreach(field IN LISTS fields)
    set(${prefix}_${field} "${found_${field}}" PARENT_SCOPE)
  endforeach()
  set(${prefix}_CHAIN "${chain}" PARENT_SCOPE)
endfunction()
