# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_add_script_tests
--------------------

Register scripts that need nothing special as tests, see tsb_add_script_test. ::

  tsb_add_script_tests(<group> <name>... [TIMEOUT <seconds>])

``<name>``
  The test ``<group>.<name>`` is the script ``<name>.cmake``, or all tests of Python's unittest in ``test_<name>.py``,
  with ``_`` for ``-``.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_add_script_test.cmake)

function(tsb_add_script_tests group)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "")
  set(more "")
  if(DEFINED arg_TIMEOUT)
    set(more TIMEOUT ${arg_TIMEOUT})
  endif()
  foreach(name IN LISTS arg_UNPARSED_ARGUMENTS)
    string(REPLACE "-" "_" script ${name})
    set(python ${CMAKE_CURRENT_SOURCE_DIR}/test_${script}.py)
    if(EXISTS ${python})
      tsb_add_script_test(
        ${group}.${name} SCRIPT ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/python_test.cmake ARGUMENTS -DTEST=${python} ${more}
      )
    else()
      tsb_add_script_test(${group}.${name} SCRIPT ${script}.cmake ${more})
    endif()
  endforeach()
endfunction()
