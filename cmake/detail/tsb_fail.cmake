# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_fail
--------

Ends a build-time script with an explained failure: what is wrong on one line, what to do on the next.

.. code-block:: cmake

  tsb_fail(<what is wrong> [<what to do> ...])
  tsb_fail() # a program that the script has run has explained it

CMake before 3.29 cannot end a script with a status and without its own error report; ``cmake/run`` knows the
report by this file's name and leaves it out. Where the script was started without it the report
is seen, the text is the same.
#]]
include_guard(GLOBAL)

function(tsb_fail)
  set(mark "error: ")
  set(index 0)
  while(index LESS ARGC) # by number: a remedy may hold a ';'
    message(NOTICE "${mark}${ARGV${index}}")
    set(mark "       ")
    math(EXPR index "${index} + 1")
  endwhile()
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.29 AND CMAKE_SCRIPT_MODE_FILE)
    cmake_language(EXIT 1)
  endif()
  message(FATAL_ERROR "(explained above)")
endfunction()
