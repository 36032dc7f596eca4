# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_set_record
--------------

Sets variables from a JSON object, as :command:`tsb_read_record` does from a file. ::

  tsb_set_record(<prefix> <variable with the JSON>) # an empty text sets none
#]]
include_guard(GLOBAL)

# z_tsb_record_commands(<out-var> <variable> <type of JSON> <JSON>): what sets the variable and those of its parts.
function(z_tsb_record_commands out variable type json)
  set(commands "")
  set(value "${json}")
  if(type MATCHES "^(OBJECT|ARRAY)$")
    set(value "")
    string(JSON count LENGTH "${json}")
    set(index 0)
    while(index LESS count)
      set(name ${index})
      if(type STREQUAL "OBJECT")
        string(JSON name MEMBER "${json}" ${index})
      endif()
      string(JSON item_type TYPE "${json}" "${name}")
      string(JSON item GET "${json}" "${name}")
      if(type STREQUAL "ARRAY" AND NOT item_type MATCHES "^(OBJECT|ARRAY)$")
        string(REPLACE ";" "\\;" item "${item}")
        list(APPEND value "${item}")
      else()
        list(APPEND value "${name}")
        z_tsb_record_commands(more "${variable}_${name}" ${item_type} "${item}")
        string(APPEND commands "${more}")
      endif()
      math(EXPR index "${index} + 1")
    endwhile()
  endif()
  # CMake drops the line break behind the bracket.
  set(${out} "set(${variable} [=====[\n${value}]=====])\n${commands}" PARENT_SCOPE)
endfunction()

# z_tsb_commands_of_record(<out-var> <prefix> <json>)
function(z_tsb_commands_of_record out prefix json)
  set(commands "")
  if(NOT json STREQUAL "")
    z_tsb_record_commands(commands ${prefix} OBJECT "${json}")
    string(REGEX REPLACE "^set\\(${prefix} " "set(${prefix}_members " commands "${commands}")
  endif()
  set(${out} "${commands}" PARENT_SCOPE)
endfunction()

# z_tsb_forget_record(<prefix>): undefines its variables in the caller's scope.
macro(z_tsb_forget_record prefix)
  get_cmake_property(z_tsb_names VARIABLES)
  list(FILTER z_tsb_names INCLUDE REGEX "^${prefix}_")
  foreach(z_tsb_name IN LISTS z_tsb_names)
    unset(${z_tsb_name})
  endforeach()
endmacro()

macro(tsb_set_record prefix json)
  z_tsb_forget_record(${prefix})
  z_tsb_commands_of_record(z_tsb_commands ${prefix} "${${json}}")
  cmake_language(EVAL CODE "${z_tsb_commands}")
endmacro()
