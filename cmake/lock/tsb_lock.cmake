# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_lock
--------

Keep two runs from working in one build folder at once. ::

  tsb_lock(DIRECTORY <folder> [RESULT_ERROR <variable>])

``DIRECTORY``
  The build folder. ``.lock.json`` in it names the run that holds it.
``RESULT_ERROR``
  Set to the message when another run holds the folder, else to an empty string. Without it the function fails. In a
  ``CMakeLists.txt``, a ``message(FATAL_ERROR)`` with this text shows it without the functions' frames.

Called when configuring and by each script that works in the folder. The holder is the topmost build tool (cmake,
ninja, ctest, cpack, make) among the ancestors of the calling process, so that the steps of one workflow pass. There
is no unlocking: the lock is worth nothing once its holder has ended, in whatever way. What a killed holder left
running in the folder (its ninja goes on without it) is ended first. Where there is no ``/proc`` nothing is locked.
#]]
include_guard(GLOBAL)
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_end_leftovers.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_process.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/tsb_fail.cmake)

function(tsb_lock)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "DIRECTORY;RESULT_ERROR" "")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tsb_lock: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT DEFINED arg_DIRECTORY)
    message(FATAL_ERROR "tsb_lock: DIRECTORY is missing")
  endif()
  if(DEFINED arg_RESULT_ERROR)
    set(${arg_RESULT_ERROR} "" PARENT_SCOPE)
  endif()

  z_tsb_root_process(self)
  if(self_PID STREQUAL "")
    return()
  endif()
  file(MAKE_DIRECTORY "${arg_DIRECTORY}")
  # Held while this function looks and writes, a moment only; the file itself stays.
  file(LOCK "${arg_DIRECTORY}/.lock" GUARD FUNCTION TIMEOUT 60)

  set(file "${arg_DIRECTORY}/.lock.json")
  set(holder "")
  if(EXISTS "${file}")
    file(READ "${file}" holder)
  endif()
  foreach(field IN ITEMS pid start session since command)
    string(JSON holder_${field} ERROR_VARIABLE error GET "${holder}" ${field})
  endforeach()
  if(holder_pid MATCHES "^[0-9]+$")
    z_tsb_process(process ${holder_pid})
    if(process_PID STREQUAL self_PID AND holder_start STREQUAL self_START)
      return()
    elseif(NOT process_PID STREQUAL "" AND process_START STREQUAL holder_start)
      set(
        problem
        "another run is working in ${arg_DIRECTORY}: process ${holder_pid}, since ${holder_since}: ${holder_command}"
      )
      set(remedy "wait until it has ended, or end it (kill ${holder_pid}), then run this again")
      if(DEFINED arg_RESULT_ERROR)
        set(${arg_RESULT_ERROR} "  ${problem}\n  ${remedy}" PARENT_SCOPE)
        return()
      endif()
      tsb_fail("${problem}" "${remedy}")
    endif()
    z_tsb_end_leftovers("${arg_DIRECTORY}" "${holder_start}" "${holder_session}" "${self_CHAIN}")
  endif()

  z_tsb_command_line(command ${self_PID})
  string(REPLACE "\\" "\\\\" command "${command}")
  string(REPLACE "\"" "\\\"" command "${command}")
  string(REGEX REPLACE "[\n\t\r]" " " command "${command}")
  string(TIMESTAMP since "%Y-%m-%d %H:%M:%S")
  file(
    WRITE "${file}.new"
    "{\"pid\": ${self_PID}, \"start\": \"${self_START}\", \"session\": ${self_SESSION}, \"since\": \"${since}\", \"command\": \"${command}\"}\n"
  )
  file(RENAME "${file}.new" "${file}")
endfunction()
