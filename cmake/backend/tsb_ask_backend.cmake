# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_ask_backend
---------------

Asks a backend for what it adds at one place of a build: the function ``z_tsb_<kind>_<hook>(<result> <backend>
<argument>...)`` in ``hooks/<hook>.cmake`` of the backend's folder. backends/README.md lists the hooks. ::

  tsb_ask_backend(<result> <backend> <hook> [<argument>...]) # an object of tsb_find_backend, or nothing

A backend without the hook adds nothing: the result is empty. Error: a hook file without its function.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_find_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)

function(tsb_ask_backend result backend hook)
  set(answer "")
  z_tsb_json_take(backend kind folder)
  tsb_find_data(file "backends/${folder}/hooks/${hook}.cmake")
  if(file)
    include("${file}")
    if(NOT COMMAND z_tsb_${kind}_${hook})
      message(FATAL_ERROR "  ${file} does not define the function z_tsb_${kind}_${hook}\n  add it, or remove the file")
    endif()
    # Each as one argument, whatever it holds.
    set(arguments "")
    set(index 3)
    while(index LESS ARGC)
      string(APPEND arguments " \"\${ARGV${index}}\"")
      math(EXPR index "${index} + 1")
    endwhile()
    cmake_language(EVAL CODE "z_tsb_${kind}_${hook}(answer \"\${backend}\"${arguments})")
  endif()
  set(${result} "${answer}" PARENT_SCOPE)
endfunction()
