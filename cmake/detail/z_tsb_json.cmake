# SPDX-License-Identifier: BSD-3-Clause
# Small helpers over string(JSON): the only place that knows how a CMake string becomes a JSON one.
include_guard(GLOBAL)

# z_tsb_json_quote(<out-var> <text>): the text as a JSON string, with its quotes.
function(z_tsb_json_quote out text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\t" "\\t" text "${text}")
  string(REPLACE "\n" "\\n" text "${text}")
  string(REPLACE "\r" "\\r" text "${text}")
  set(${out} "\"${text}\"" PARENT_SCOPE)
endfunction()

# z_tsb_json_get(<out-var> <json> <member>...): the member as text; an absent one is empty.
function(z_tsb_json_get out json)
  string(JSON value ERROR_VARIABLE absent GET "${json}" ${ARGN})
  if(NOT absent STREQUAL "NOTFOUND")
    set(value "")
  endif()
  set(${out} "${value}" PARENT_SCOPE)
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
