# SPDX-License-Identifier: BSD-3-Clause
# Small helpers over string(JSON): the only place that knows how a CMake string becomes a JSON one.
include_guard(GLOBAL)

# In functions that change a caller's variable the parameter is z_tsb_variable, a name that no caller uses: a
# parameter of the same name as the caller's variable would hide it.

# z_tsb_json_quote(<out-var> <text>): the text as a JSON string, with its quotes.
function(z_tsb_json_quote out text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\t" "\\t" text "${text}")
  string(REPLACE "\n" "\\n" text "${text}")
  string(REPLACE "\r" "\\r" text "${text}")
  set(${out} "\"${text}\"" PARENT_SCOPE)
endfunction()

# z_tsb_json_set_string(<json-var> <member> <text>)
function(z_tsb_json_set_string z_tsb_variable member text)
  z_tsb_json_quote(z_tsb_quoted "${text}")
  string(JSON z_tsb_result SET "${${z_tsb_variable}}" "${member}" "${z_tsb_quoted}")
  set(${z_tsb_variable} "${z_tsb_result}" PARENT_SCOPE)
endfunction()

# z_tsb_json_set_array(<json-var> <member> [<text>...])
function(z_tsb_json_set_array z_tsb_variable member)
  set(z_tsb_items "")
  set(z_tsb_separator "")
  # By number: ARGN would split a text that holds a ';'.
  math(EXPR z_tsb_last "${ARGC} - 1")
  if(z_tsb_last GREATER 1)
    foreach(z_tsb_index RANGE 2 ${z_tsb_last})
      z_tsb_json_quote(z_tsb_quoted "${ARGV${z_tsb_index}}")
      string(APPEND z_tsb_items "${z_tsb_separator}${z_tsb_quoted}")
      set(z_tsb_separator ",")
    endforeach()
  endif()
  string(JSON z_tsb_result SET "${${z_tsb_variable}}" "${member}" "[${z_tsb_items}]")
  set(${z_tsb_variable} "${z_tsb_result}" PARENT_SCOPE)
endfunction()

# z_tsb_json_get_list(<out-var> <json> <member>...): an array of strings as a CMake list; an absent one is empty.
function(z_tsb_json_get_list out json)
  z_tsb_json_array_items(items "${json}" "${ARGN}" "")
  set(${out} "${items}" PARENT_SCOPE)
endfunction()

# z_tsb_json_get_each(<out-var> <json> <array> <member>): that member of each of its objects; an absent array is empty.
function(z_tsb_json_get_each out json array member)
  z_tsb_json_array_items(items "${json}" "${array}" "${member}")
  set(${out} "${items}" PARENT_SCOPE)
endfunction()

# z_tsb_json_array_items(<out-var> <json> <way to the array> <member of its objects, or nothing>): what both read with.
function(z_tsb_json_array_items out json array member)
  set(items "")
  string(JSON length ERROR_VARIABLE absent LENGTH "${json}" ${array})
  if(absent STREQUAL "NOTFOUND" AND length GREATER 0)
    math(EXPR last "${length} - 1")
    foreach(index RANGE ${last})
      string(JSON item GET "${json}" ${array} ${index} ${member})
      string(REPLACE ";" "\\;" item "${item}")
      list(APPEND items "${item}")
    endforeach()
  endif()
  set(${out} "${items}" PARENT_SCOPE)
endfunction()

# z_tsb_json_get(<out-var> <json> <member>...): the member as text; an absent one is empty.
function(z_tsb_json_get out json)
  string(JSON value ERROR_VARIABLE absent GET "${json}" ${ARGN})
  if(NOT absent STREQUAL "NOTFOUND")
    set(value "")
  endif()
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

# z_tsb_json_take(<json-var> <member>...): variables named like the members, with what z_tsb_json_get gives for them.
function(z_tsb_json_take z_tsb_variable)
  foreach(z_tsb_member IN LISTS ARGN)
    z_tsb_json_get(z_tsb_value "${${z_tsb_variable}}" ${z_tsb_member})
    set(${z_tsb_member} "${z_tsb_value}" PARENT_SCOPE)
  endforeach()
endfunction()

# z_tsb_json_members(<out-var> <json> <member>...): the names in an object; an absent one is empty.
function(z_tsb_json_members out json)
  set(names "")
  string(JSON length ERROR_VARIABLE absent LENGTH "${json}" ${ARGN})
  if(absent STREQUAL "NOTFOUND" AND length GREATER 0)
    math(EXPR last "${length} - 1")
    foreach(index RANGE ${last})
      string(JSON name MEMBER "${json}" ${ARGN} ${index})
      list(APPEND names "${name}")
    endforeach()
  endif()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()
