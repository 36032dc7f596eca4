# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_run_python
--------------

Runs one of this project's Python scripts while configuring. ::

  tsb_run_python(<module or script> <argument>...)

Any Python will do, also before the doctor has chosen one: the system's, which starts faster than a wrapper such as
pyenv's that PATH may find first, else ``TSB_PYTHON``.

What it writes to standard error is shown. Errors: no Python runs; an exception; what the script says
when it exits with 3.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_python_command.cmake)

function(tsb_run_python script)
  set(errors "")
  foreach(python IN ITEMS /usr/bin/python3 ${TSB_PYTHON} python3)
    tsb_python_command(command "${python}" "${script}")
    execute_process(COMMAND ${command} ${ARGN} RESULT_VARIABLE code ERROR_VARIABLE error)
    if(code STREQUAL "0")
      if(error)
        string(STRIP "${error}" error)
        message(NOTICE "${error}")
      endif()
      return()
    elseif(code STREQUAL "3")
      string(REGEX REPLACE "(^|\n)(error: |       )" "\\1  " error "${error}")
      message(FATAL_ERROR "${error}")
    endif()
    string(APPEND errors "  ${python}: ${code}\n${error}")
  endforeach()
  if(errors MATCHES "Traceback")
    message(FATAL_ERROR "  ${script} failed, a fault in it: report it\n${errors}")
  endif()
  message(
    FATAL_ERROR "  no python3 runs ${script}:\n${errors}\n  ./bootstrap.sh installs it, and all else that is needed"
  )
endfunction()
