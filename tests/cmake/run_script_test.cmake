# SPDX-License-Identifier: BSD-3-Clause
# Runs one script test; see tsb_add_script_test.cmake. In: SCRIPT, EXPECTATIONS, TSB_SOURCE_DIR, TSB_TEST_DIR; the
# arguments after "--" are handed to the script's own cmake, which begins here as well: with our policies.
cmake_minimum_required(VERSION 3.25)
if(DEFINED TSB_TEST_SCRIPT)
  include(${TSB_TEST_SCRIPT})
  return()
endif()
include(${EXPECTATIONS})

set(arguments)
set(after_dashes OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  if(after_dashes)
    list(APPEND arguments "${CMAKE_ARGV${index}}")
  elseif(CMAKE_ARGV${index} STREQUAL "--")
    set(after_dashes ON)
  endif()
endforeach()

file(REMOVE_RECURSE ${TSB_TEST_DIR})
file(MAKE_DIRECTORY ${TSB_TEST_DIR})
execute_process(
  COMMAND ${CMAKE_COMMAND} -DTSB_SOURCE_DIR=${TSB_SOURCE_DIR} -DTSB_TEST_DIR=${TSB_TEST_DIR} -DTSB_TEST_SCRIPT=${SCRIPT}
          ${arguments} -P ${CMAKE_CURRENT_LIST_FILE}
  WORKING_DIRECTORY ${TSB_TEST_DIR}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
)
if(NOT result EQUAL 0) # or CTest would take the failure of another part for a test that could not run
  string(REGEX REPLACE "(^|\n)SKIP: " "\\1not run: " output "${output}")
endif()
message("${output}")

if(output MATCHES "(^|\n)SKIP: ")
  return()
endif()
if(should_fail AND result EQUAL 0)
  message(FATAL_ERROR "the script ended well, but it should have failed")
elseif(NOT should_fail AND NOT result EQUAL 0)
  message(FATAL_ERROR "the script failed: ${result}")
endif()
string(REGEX REPLACE "[ \t\r\n]+" " " flat "${output}")
# Users would also see such a warning. CMake 3.31 and newer warn of keywords with an empty value.
if(flat MATCHES "Policy CMP[0-9]+ is not set")
  message(FATAL_ERROR "CMake warns: ${CMAKE_MATCH_0}")
endif()
foreach(part IN LISTS expected)
  string(REGEX REPLACE "[ \t\r\n]+" " " flat_part "${part}")
  string(FIND "${flat}" "${flat_part}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "the output above lacks: ${part}")
  endif()
endforeach()
