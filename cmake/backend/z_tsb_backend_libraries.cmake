# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
z_tsb_backend_libraries
-----------------------

Reads ``backends/<kind>/libraries.json`` (backends/README.md). ::

  z_tsb_backend_libraries(<result> <kind> [<name>])       # all of it; the entry of one library
  z_tsb_backend_library_names(<result> <kind> [PACKAGE <package>] [USED]) # in the order of the official wheels' RPATH
  z_tsb_backend_library_of(<result> <kind> <file name>)   # the entry of the library that has such a file, or nothing
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../data/tsb_find_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)

function(z_tsb_backend_libraries result kind)
  set(facts "{}")
  tsb_find_data(file "backends/${kind}/libraries.json")
  if(file)
    file(READ "${file}" facts)
  endif()
  if(ARGC GREATER 2)
    z_tsb_json_get_each(names "${facts}" libraries name)
    list(FIND names "${ARGV2}" index)
    string(JSON facts GET "${facts}" libraries ${index})
  endif()
  set(${result} "${facts}" PARENT_SCOPE)
endfunction()

function(z_tsb_backend_library_names result kind)
  cmake_parse_arguments(PARSE_ARGV 2 arg "USED" "PACKAGE" "")
  z_tsb_backend_libraries(facts ${kind})
  z_tsb_json_get_each(names "${facts}" libraries name)
  z_tsb_json_get_each(packages "${facts}" libraries package)
  set(found "")
  set(index 0)
  foreach(name package IN ZIP_LISTS names packages)
    z_tsb_json_get(unused "${facts}" libraries ${index} unused)
    if((NOT arg_PACKAGE OR package STREQUAL arg_PACKAGE) AND NOT (arg_USED AND unused))
      list(APPEND found ${name})
    endif()
    math(EXPR index "${index} + 1")
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

function(z_tsb_backend_library_of result kind file)
  set(${result} "" PARENT_SCOPE)
  z_tsb_backend_libraries(facts "${kind}")
  z_tsb_json_get_each(names "${facts}" libraries name)
  set(index 0)
  foreach(name IN LISTS names)
    z_tsb_json_get_list(patterns "${facts}" libraries ${index} files)
    foreach(pattern IN LISTS patterns)
      string(REPLACE "*" ".*" pattern "${pattern}")
      if(file MATCHES "^${pattern}\\.so")
        string(JSON library GET "${facts}" libraries ${index})
        set(${result} "${library}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
    math(EXPR index "${index} + 1")
  endforeach()
endfunction()
