# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_fail
--------

Ends a build-time script with an explained failure: what is wrong on one line, what to do on the next.

.. code-block:: cmake

  tsb_fail(<what is wrong> [<what to do> ...])

CMake before 3.29 cannot end a script with a status and without its own error report; ``run_script.sh`` knows the
report by this file's name and leaves it out. Where the script was started without ``run_script.sh`` the report
is seen, the text is the same.
#]]
include_guard(GLOBAL)

function(tsb_fail what)
  message(NOTICE "error: ${what}")
  # By number: a remedy may hold a ';'.
  math(EXPR last "${ARGC} - 1")
  if(last GREATER 0)
    foreach(index RANGE 1 ${last})
      message(NOTICE "       ${ARGV${index}}")
    endforeach()
  endif()
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.29 AND CMAKE_SCRIPT_MODE_FILE)
    cmake_language(EXIT 1)
  endif()
  message(FATAL_ERROR "(explained above)")
endfunction()
