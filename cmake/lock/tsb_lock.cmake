# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_lock
--------

Keep two runs from working in one build folder at once. ::

  tsb_lock(DIRECTORY <folder> [RESULT_ERROR <variable>] [RESULT_NOT_HELD <variable>])

``DIRECTORY``
  The build folder. ``.lock.json`` in it names the run that holds it.
``RESULT_ERROR``
  Set to the message when another run holds the folder, else to an empty string. Without it the function fails. In a
  ``CMakeLists.txt``, a ``message(FATAL_ERROR)`` with this text shows it without the functions' frames.
``RESULT_NOT_HELD``
  Set to the message when no Python runs that could hold the lock, else to an empty string: for before the doctor, whose
  words on Python go first. Without it this is an error like the other one.

Called when configuring and by each script that works in the folder. The holder is the topmost build tool (cmake,
ninja, ctest, cpack) among the ancestors of the calling process, so that the steps of one workflow pass. A process in
the background holds the lock of ``.lock.held`` for it until it ends, in whatever way (``detail/hold.py``; any Python
will do, also when TSB_PYTHON does not run). The kernel keeps that lock, so it counts in other containers and, if the
folder's file system has locks for all its hosts as NFS has, on other hosts. Who finds the lock free, and no living
holder, takes it, after ending what a killed holder left running in the folder (its ninja goes on without it). Where
there is no ``/proc`` nothing is locked.
#]]
include_guard(GLOBAL)
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_end_leftovers.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_process.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/tsb_fail.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_without_password.cmake)

function(tsb_lock)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "DIRECTORY;RESULT_ERROR;RESULT_NOT_HELD" "")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tsb_lock: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT DEFINED arg_DIRECTORY)
    message(FATAL_ERROR "tsb_lock: DIRECTORY is missing")
  endif()
  foreach(result IN ITEMS ${arg_RESULT_ERROR} ${arg_RESULT_NOT_HELD})
    set(${result} "" PARENT_SCOPE)
  endforeach()

  file(MAKE_DIRECTORY "${arg_DIRECTORY}")
  z_tsb_root_process(self "${arg_DIRECTORY}")
  if(self_PID STREQUAL "")
    return()
  endif()
  # Held while this function looks and writes, a moment only; the file itself stays.
  file(LOCK "${arg_DIRECTORY}/.lock" GUARD FUNCTION TIMEOUT 60)

  set(file "${arg_DIRECTORY}/.lock.json")
  set(holder "")
  if(EXISTS "${file}")
    file(READ "${file}" holder)
  endif()
  foreach(field IN ITEMS pid start session since host command)
    string(JSON holder_${field} ERROR_VARIABLE error GET "${holder}" ${field})
  endforeach()
  set(process_PID "")
  if(holder_pid MATCHES "^[0-9]+$")
    z_tsb_process(process ${holder_pid})
    if(NOT process_START STREQUAL holder_start)
      set(process_PID "")
    endif()
  endif()
  z_tsb_is_held(held "${arg_DIRECTORY}")
  set(problem "")
  if(process_PID AND process_PID STREQUAL self_PID)
    if(held)
      return()
    endif()
  elseif(process_PID)
    set(problem "process ${holder_pid}, since ${holder_since}: ${holder_command}")
    set(remedy "wait until it has ended, or end it (kill ${holder_pid}), then run this again")
  else()
    # One that has just ended still has it for a moment.
    foreach(attempt RANGE 30)
      if(held)
        execute_process(COMMAND sleep 0.1)
        z_tsb_is_held(held "${arg_DIRECTORY}")
      endif()
    endforeach()
    if(held)
      set(problem "process ${holder_pid} on ${holder_host} or in a container, since ${holder_since}: ${holder_command}")
      set(remedy "wait until it has ended, or end it there, then run this again")
    elseif(holder_pid)
      z_tsb_end_leftovers("${arg_DIRECTORY}" "${holder_start}" "${holder_session}" "${self_CHAIN}")
    endif()
  endif()
  if(problem)
    string(PREPEND problem "another run is working in ${arg_DIRECTORY}: ")
    if(DEFINED arg_RESULT_ERROR)
      set(${arg_RESULT_ERROR} "  ${problem}\n  ${remedy}" PARENT_SCOPE)
      return()
    endif()
    tsb_fail("${problem}" "${remedy}")
  endif()

  z_tsb_command_line(command ${self_PID})
  z_tsb_without_password(command "${command}")
  string(REPLACE "\\" "\\\\" command "${command}")
  string(REPLACE "\"" "\\\"" command "${command}")
  string(REGEX REPLACE "[\n\t\r]" " " command "${command}")
  string(TIMESTAMP since "%Y-%m-%d %H:%M:%S")
  cmake_host_system_information(RESULT host QUERY HOSTNAME)
  file(
    WRITE "${file}.new"
    "{\"pid\": ${self_PID}, \"start\": \"${self_START}\", \"session\": ${self_SESSION}, \"since\": \"${since}\", \"host\": \"${host}\", \"command\": \"${command}\"}\n"
  )
  file(RENAME "${file}.new" "${file}")
  z_tsb_hold(held "${arg_DIRECTORY}" ${self_PID} ${self_TICKS})
  if(NOT held)
    set(problem "no Python runs that could hold the lock of ${arg_DIRECTORY}, so another run could work in it, too")
    set(remedy "install python3, or set TSB_PYTHON to one that runs, then run this again")
    if(DEFINED arg_RESULT_NOT_HELD)
      set(arg_RESULT_ERROR ${arg_RESULT_NOT_HELD})
    endif()
    if(NOT DEFINED arg_RESULT_ERROR)
      tsb_fail("${problem}" "${remedy}")
    endif()
    set(${arg_RESULT_ERROR} "  ${problem}\n  ${remedy}" PARENT_SCOPE)
  endif()
endfunction()

# z_tsb_is_held(<out-var> <folder>): whether the kernel has somebody's lock of it.
function(z_tsb_is_held out folder)
  file(
    LOCK "${folder}/.lock.held"
    GUARD FUNCTION
    TIMEOUT 0
    RESULT_VARIABLE result
  )
  set(${out} ON PARENT_SCOPE)
  if(result EQUAL 0)
    set(${out} OFF PARENT_SCOPE)
  endif()
endfunction()

# z_tsb_hold(<out-var> <folder> <pid> <ticks>): whether the kernel's lock is held, until that process ends. By the first
# that can of the Pythons that the doctor would look at.
function(z_tsb_hold out folder pid ticks)
  file(GLOB pythons /usr/bin/python3 /usr/bin/python3.*)
  list(FILTER pythons INCLUDE REGEX "/python3(\\.[0-9]+)?$")
  foreach(python IN ITEMS "$ENV{TSB_PYTHON}" python3 LISTS pythons)
    execute_process(
      COMMAND "${python}" -I -S "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/detail/hold.py" "${folder}/.lock.held" ${pid}
              ${ticks} OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE ignored
    )
    z_tsb_is_held(held "${folder}")
    if(held)
      break()
    endif()
  endforeach()
  set(${out} ${held} PARENT_SCOPE)
endfunction()
