# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_lock
--------

Keep two runs from working in one build folder at once (``lock.py`` says how). ::

  tsb_lock(DIRECTORY <folder> [RESULT_ERROR <variable>])

``DIRECTORY``
  The build folder. ``.lock`` in it names the run that holds it.
``RESULT_ERROR``
  Set to the message when another run holds the folder, else to an empty string. Without it the function fails. In a
  ``CMakeLists.txt``, a ``message(FATAL_ERROR)`` with this text shows it without the functions' frames.

Called when configuring and by each script that works in the folder. Nothing is locked where there is no ``/proc``, or
no Python, which the doctor then reports.
#]]
include_guard(GLOBAL)
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/tsb_fail.cmake)

function(tsb_lock)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "DIRECTORY;RESULT_ERROR" "")
  file(MAKE_DIRECTORY "${arg_DIRECTORY}")
  set(problem "")
  # Any Python will do, and the system's starts faster than a wrapper such as pyenv's, which PATH may find first.
  file(GLOB pythons /usr/bin/python3 /usr/bin/python3.*[0-9])
  foreach(
    python IN
    ITEMS "${TSB_PYTHON}"
    LISTS pythons
    ITEMS python3
  )
    execute_process(
      COMMAND "${python}" -I -S -X utf8 "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/lock.py" "${arg_DIRECTORY}"
      OUTPUT_VARIABLE problem
      RESULT_VARIABLE status
      ERROR_VARIABLE fault
      OUTPUT_STRIP_TRAILING_WHITESPACE
    )
    if(status EQUAL 0 OR problem MATCHES "^another run")
      break()
    endif()
  endforeach()
  if(fault AND NOT status EQUAL 0)
    string(REGEX REPLACE "^.*\n(.)" "\\1" fault "\n${fault}")
    message(NOTICE "nothing keeps another run out of ${arg_DIRECTORY}: ${fault}")
  endif()
  if(DEFINED arg_RESULT_ERROR)
    if(problem)
      string(REPLACE "\n" "\n  " problem "  ${problem}")
    endif()
    set(${arg_RESULT_ERROR} "${problem}" PARENT_SCOPE)
  elseif(problem)
    string(REGEX MATCH "^([^\n]*)\n(.*)$" ignored "${problem}")
    tsb_fail("${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
  endif()
endfunction()
