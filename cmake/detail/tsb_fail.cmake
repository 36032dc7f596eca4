# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_fail
--------

Ends a build-time script with an explained failure: what is wrong on one line, what to do on the next.

.. code-block:: cmake

  tsb_fail(<what is wrong> [<what to do> ...])
  tsb_fail() # a program that the script has run has explained it

A script ends with CMake's report of an error. ``engine/one_run`` knows this one by the file's name, leaves it out, and
takes the failure for explained. Where the script was started without it the report is seen, the text is the same.
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
  message(FATAL_ERROR "(explained above)")
endfunction()
