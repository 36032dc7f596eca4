# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_python_failed
-----------------

Ends a build-time script whose Python has failed, as :command:`tsb_fail` does. ::

  tsb_python_failed(<module or script> <exit status>)

With 3 it ended by a ``Failure`` (``engine/failure.py``), which has said what is wrong. Anything else is unexpected: an
exception, or a signal.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/tsb_fail.cmake)

function(tsb_python_failed script status)
  if(status EQUAL 3)
    tsb_fail()
  endif()
  tsb_fail("${script} failed unexpectedly: ${status}" "read the messages above; if there are none, try again")
endfunction()
