# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_clean_environment
---------------------

The beginning of a command that runs as the packages' commands do: it has nothing of the caller's environment except
what ``inherited_variables.txt`` lists, by which the runner of phases goes as well. ::

  tsb_clean_environment(<out-var> [<tool>...])
  execute_process(COMMAND ${<out-var>} <command>...)

``PATH`` has the folders of this CMake and of the tools (whole paths; empty ones are left out), then the system's. A
conda environment on the caller's ``PATH`` is left out. ::

  z_tsb_clean_path(<out-var> [<tool>...])                # that PATH alone
#]]
include_guard(GLOBAL)
cmake_policy(VERSION 3.21)

function(z_tsb_clean_path out)
  set(folders "")
  foreach(tool IN LISTS CMAKE_COMMAND ARGN)
    if(tool)
      get_filename_component(folder "${tool}" DIRECTORY)
      list(APPEND folders "${folder}")
    endif()
  endforeach()
  list(APPEND folders /usr/local/bin /usr/bin /bin)
  list(REMOVE_DUPLICATES folders)
  string(REPLACE ";" ":" path "${folders}")
  set(${out} "${path}" PARENT_SCOPE)
endfunction()

function(tsb_clean_environment out)
  file(STRINGS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/inherited_variables.txt" kept REGEX "^[^#]")
  list(TRANSFORM kept REPLACE "[*]" ".*")
  list(JOIN kept "|" kept)
  # Only names are looked at: values may hold passwords. A line of a value that looks like a name does no harm.
  execute_process(COMMAND "${CMAKE_COMMAND}" -E environment OUTPUT_VARIABLE environment)
  string(REGEX MATCHALL "(^|\n)[A-Za-z_][A-Za-z0-9_]*=" names "${environment}")
  list(TRANSFORM names REPLACE "^\n?(.*)=$" "\\1")
  list(FILTER names EXCLUDE REGEX "^(${kept})$")
  list(REMOVE_DUPLICATES names)
  list(TRANSFORM names PREPEND --unset=)
  z_tsb_clean_path(path ${ARGN})
  set(${out} "${CMAKE_COMMAND}" -E env ${names} "PATH=${path}" LANG=C.UTF-8 PARENT_SCOPE)
endfunction()
