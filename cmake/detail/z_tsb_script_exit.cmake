# SPDX-License-Identifier: BSD-3-Clause
include_guard()
#[[.rst:
z_tsb_script_exit
-----------------

``z_tsb_script_exit(<code>)`` ends a script with ``<code>`` and prints nothing. It must be the last command of the
script, since before CMake 3.29 a script cannot leave with a code of its own: the code is then left in the file that
``run_script.sh`` named in the environment variable ``Z_TSB_EXIT_FILE``, and ``run_script.sh`` leaves with it. A script
that is run without ``run_script.sh`` by such an old CMake still fails, with one line of CMake's own.
#]]

function(z_tsb_script_exit code)
  if(code EQUAL 0)
    return()
  endif()
  if(NOT "$ENV{Z_TSB_EXIT_FILE}" STREQUAL "")
    file(WRITE "$ENV{Z_TSB_EXIT_FILE}" "${code}\n")
    return()
  endif()
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.29)
    cmake_language(EXIT ${code})
  endif()
  message(FATAL_ERROR "(explained above)")
endfunction()
