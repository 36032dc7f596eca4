# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_expect
----------

Check one thing in a test script; say what was expected when it is otherwise, and fail. ::

  tsb_expect("<what>" EQUAL "<actual>" "<expected>")
  tsb_expect("<what>" CONTAINS "<text>" "<part>"...)
  tsb_expect("<what>" LACKS "<text>" "<part>"...)
  tsb_expect("<what>" EXISTS "<path>")
  tsb_expect("<what>" ABSENT "<path>")
  tsb_expect("<what>" ENDS "<exit code>" good|bad)
  tsb_expect_end(<exit code> "<part>"...)
  tsb_expect_file("<what>" EQUAL|CONTAINS|LACKS "<path>" "<text>"...)

``<what>``
  What is looked at, in words. ``CONTAINS`` and ``LACKS`` take any white space for one blank, as CMake wraps messages.
  A part with a square bracket that is not closed needs a call of its own, since CMake splits no list behind it.
  A failed expectation ends the script. The file also brings tsb_run().
``tsb_expect_end``
  The caller's variable ``status`` is this, and its ``output`` has these parts.
``tsb_expect_file``
  The same of what a file holds.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_run.cmake)

function(tsb_expect what check actual)
  set(expected "${ARGV3}")
  set(good OFF)
  if(check STREQUAL "EQUAL")
    if("${actual}" STREQUAL "${expected}")
      set(good ON)
    endif()
  elseif(check STREQUAL "CONTAINS" OR check STREQUAL "LACKS")
    cmake_parse_arguments(PARSE_ARGV 3 parts "" "" "")
    string(REGEX REPLACE "[ \t\r\n]+" " " flat "${actual}")
    set(good ON)
    foreach(part IN LISTS parts_UNPARSED_ARGUMENTS)
      string(REGEX REPLACE "[ \t\r\n]+" " " flat_part "${part}")
      string(FIND "${flat}" "${flat_part}" position)
      if((check STREQUAL "CONTAINS" AND position EQUAL -1) OR (check STREQUAL "LACKS" AND NOT position EQUAL -1))
        set(good OFF)
        set(expected "${part}")
        break()
      endif()
    endforeach()
  elseif(check STREQUAL "EXISTS")
    if(EXISTS "${actual}")
      set(good ON)
    endif()
  elseif(check STREQUAL "ABSENT")
    if(NOT EXISTS "${actual}")
      set(good ON)
    endif()
  elseif(check STREQUAL "ENDS")
    if((actual STREQUAL "0" AND expected STREQUAL "good") OR (NOT actual STREQUAL "0" AND expected STREQUAL "bad"))
      set(good ON)
    endif()
  else()
    message(FATAL_ERROR "tsb_expect: unknown check: ${check}")
  endif()
  if(NOT good)
    message(FATAL_ERROR "${what}: expected ${check} [${expected}], got [${actual}]")
  endif()
endfunction()

function(tsb_expect_end exit_code)
  tsb_expect("the exit code" EQUAL "${status}" ${exit_code})
  cmake_parse_arguments(PARSE_ARGV 1 parts "" "" "")
  tsb_expect("the output" CONTAINS "${output}" ${parts_UNPARSED_ARGUMENTS})
endfunction()

function(tsb_expect_file what check file)
  file(READ "${file}" text)
  cmake_parse_arguments(PARSE_ARGV 3 parts "" "" "")
  tsb_expect("${what}" ${check} "${text}" ${parts_UNPARSED_ARGUMENTS})
endfunction()
