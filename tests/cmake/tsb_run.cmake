# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_run
-------

Run a command in a test script and show what it says. ::

  tsb_run(<status-out> <output-out> [IN <folder>] <command> [<argument>...])

``<status-out>``, ``<output-out>``
  Variables for its exit code, and for all that it writes, to whichever of its outputs.
``IN``
  The folder to run it in; by default the current one. Standard input is empty.
#]]
include_guard(GLOBAL)

function(tsb_run status_out output_out)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "IN" "")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  if(DEFINED arg_IN)
    set(folder "${arg_IN}")
  endif()
  execute_process(
    COMMAND ${arg_UNPARSED_ARGUMENTS}
    WORKING_DIRECTORY "${folder}"
    INPUT_FILE /dev/null
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  message("${output}")
  set(${status_out} "${status}" PARENT_SCOPE)
  set(${output_out} "${output}" PARENT_SCOPE)
endfunction()
