# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_ask_backend
---------------

Asks a backend for what it adds at one place of a build: the function ``z_tsb_<kind>_<hook>(<result> <argument>...)`` in
``hooks/<hook>.cmake`` of the backend's folder. backends/README.md lists the hooks. ::

  tsb_ask_backend(<result> <prefix> <hook> [<argument>...])

``<prefix>``
  The prefix of a record with the backend's facts, as ``tsb_load_model`` reads them: ``artifact_backend``. The hook sees
  them as ``backend_version`` and so on, and the other records of its caller.

A backend without the hook adds nothing: the result is empty. Error: a hook file without its function.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_find_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_json_object.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_read_record.cmake)

function(tsb_ask_backend result prefix hook)
  set(answer "")
  tsb_find_data(file "backends/${${prefix}_folder}/hooks/${hook}.cmake")
  if(file)
    if(NOT prefix STREQUAL "backend")
      z_tsb_forget_record(backend)
      get_cmake_property(names VARIABLES)
      list(FILTER names INCLUDE REGEX "^${prefix}_")
      foreach(name IN LISTS names)
        string(REGEX REPLACE "^${prefix}_" "backend_" of_hook "${name}")
        set(${of_hook} "${${name}}")
      endforeach()
    endif()
    set(function z_tsb_${backend_kind}_${hook})
    include("${file}")
    if(NOT COMMAND ${function})
      message(FATAL_ERROR "  ${file} does not define the function ${function}\n  add it, or remove the file")
    endif()
    # Each as one argument, whatever it holds.
    set(arguments "")
    set(index 3)
    while(index LESS ARGC)
      string(APPEND arguments " \"\${ARGV${index}}\"")
      math(EXPR index "${index} + 1")
    endwhile()
    cmake_language(EVAL CODE "${function}(answer${arguments})")
  endif()
  set(${result} "${answer}" PARENT_SCOPE)
endfunction()
