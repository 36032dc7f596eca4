# SPDX-License-Identifier: BSD-3-Clause
# The remote store: what asks it must be installed; whether it answers is only said, since nobody needs it to build.
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_python_command.cmake)

function(tsb_doctor_check_remote_store)
  z_tsb_doctor_exported(interpreter TSB_CODEGEN_PYTHON)
  if(NOT interpreter)
    return() # the check python says so
  endif()
  set(ENV{TSB_STORE_REMOTE} "${TSB_STORE_REMOTE}") # not in the command: it may have a password
  set(ENV{TSB_OFFLINE} "${TSB_OFFLINE}")
  tsb_python_command(python "${interpreter}" store)
  execute_process(
    COMMAND ${python} ask
    RESULT_VARIABLE code
    OUTPUT_VARIABLE text
    ERROR_VARIABLE fault
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE
  )
  if(code EQUAL 0)
    z_tsb_doctor_good("${text}")
  else()
    string(REGEX REPLACE "\n +" ";" fault "${fault}")
    string(REGEX REPLACE "^error: " "" fault "${fault}")
    z_tsb_doctor_problem(${fault})
  endif()
endfunction()
