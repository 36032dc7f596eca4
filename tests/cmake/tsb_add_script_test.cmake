# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_add_script_test
-------------------

Register a CMake script (``cmake -P``) as a ctest test. ::

  tsb_add_script_test(<name>
    SCRIPT <file>
    [SHOULD_FAIL "<part of the message>"...]
    [ARGUMENTS <arg>...]
    [ENVIRONMENT <NAME>=<value>...]
    [LABELS <label>...]
    [TIMEOUT <seconds>])

``<name>``
  The test's name, ``<group>.<case>``.
``SCRIPT``
  The script. It sets no policy: it has those of CMake 3.25. It finds ``TSB_SOURCE_DIR`` (the project's root) and
  ``TSB_TEST_DIR`` (a folder of this test's own, empty at the start, left for a look when the test is over), and in
  ``TORCHPKG`` the program that was built; it may include ``tests/cmake/tsb_expect.cmake``.
``SHOULD_FAIL``
  The script must fail, and its output must contain each of these texts (not expressions; white space is compared as
  one blank, since CMake wraps its messages). Without it the script must succeed.
``ARGUMENTS``
  Given to ``cmake`` before ``-P``: ``-DNAME=value``.
``ENVIRONMENT``
  Variables of the environment.
``LABELS``
  Labels for ``ctest -L``. ``integration`` keeps a test out of the quick run.
``TIMEOUT``
  Seconds, 180 by default.

A script that prints a line starting with ``SKIP:`` counts as skipped; the rest of the line says why.
#]]
include_guard(GLOBAL)

function(tsb_add_script_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SCRIPT;TIMEOUT" "SHOULD_FAIL;ARGUMENTS;ENVIRONMENT;LABELS")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tsb_add_script_test(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT DEFINED arg_SCRIPT)
    message(FATAL_ERROR "tsb_add_script_test(${name}): SCRIPT is missing")
  endif()
  get_filename_component(script ${arg_SCRIPT} ABSOLUTE)
  get_filename_component(root ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../.. ABSOLUTE)
  if(NOT EXISTS ${script})
    message(FATAL_ERROR "tsb_add_script_test(${name}): no such script: ${script}")
  endif()
  if(NOT DEFINED arg_TIMEOUT)
    set(arg_TIMEOUT 180)
  endif()

  # The texts travel through a file: a list on a command line loses its blanks and semicolons.
  set(expectations ${CMAKE_CURRENT_BINARY_DIR}/${name}.expect.cmake)
  set(text "set(should_fail OFF)\nset(expected)\n")
  if(DEFINED arg_SHOULD_FAIL)
    set(text "set(should_fail ON)\nset(expected)\n")
    foreach(part IN LISTS arg_SHOULD_FAIL)
      string(APPEND text "list(APPEND expected [==[${part}]==])\n")
    endforeach()
  endif()
  file(WRITE ${expectations} "${text}")

  add_test(
    NAME ${name}
    COMMAND
      ${CMAKE_COMMAND} -DTSB_SOURCE_DIR=${root} -DTSB_TEST_DIR=${CMAKE_CURRENT_BINARY_DIR}/${name} -DSCRIPT=${script}
      -DEXPECTATIONS=${expectations} -P ${root}/tests/cmake/run_script_test.cmake -- -DTORCHPKG=$<TARGET_FILE:torchpkg>
      ${arg_ARGUMENTS}
  )
  set_tests_properties(
    ${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "cmake;${arg_LABELS}" ENVIRONMENT "${arg_ENVIRONMENT}"
                       ENVIRONMENT_MODIFICATION "${TSB_TEST_PATH}" SKIP_REGULAR_EXPRESSION "(^|\n)SKIP: "
  )
endfunction()
