# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_call_python
---------------

Runs one of this project's Python scripts while building, with the Python that configure has found. ::

  tsb_call_python(<build folder> <module, or script below packaging/> <argument>...
                  [INTO <out-var>] [STATUS <out-var>] [WITH_TOOLS])

``INTO`` sets the variable to what it prints. ``WITH_TOOLS``: it needs the libraries of
``packaging/libraries/requirements.txt``, which the step fetch has unpacked. What is wrong it says itself, and that ends
the calling script; with ``STATUS``, which gets the exit status, the script decides, and ends itself with
:command:`tsb_python_failed`.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_read_record.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_python_command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_python_failed.cmake)

function(tsb_call_python build_folder script)
  cmake_parse_arguments(PARSE_ARGV 2 arg "WITH_TOOLS" "INTO;STATUS" "")
  tsb_read_record("${build_folder}/settings.json" settings)
  set(python "${settings_python}")
  set(modules "")
  if(arg_WITH_TOOLS)
    tsb_read_record("${build_folder}/fetch/request.json" request)
    set(python "${request_python}")
    set(modules MODULES "${build_folder}/python-tools")
  endif()
  if(script MATCHES "\\.py$")
    string(PREPEND script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../packaging/")
  endif()
  tsb_python_command(command "${python}" "${script}" ${modules})
  set(printed "")
  if(arg_INTO)
    set(printed OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  execute_process(COMMAND ${command} ${arg_UNPARSED_ARGUMENTS} ${printed} RESULT_VARIABLE result)
  if(arg_STATUS)
    set(${arg_STATUS} "${result}" PARENT_SCOPE)
  elseif(NOT result EQUAL 0)
    tsb_python_failed("${script}" "${result}")
  endif()
  if(arg_INTO)
    set(${arg_INTO} "${text}" PARENT_SCOPE)
  endif()
endfunction()
