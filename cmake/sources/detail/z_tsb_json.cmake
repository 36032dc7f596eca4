# SPDX-License-Identifier: BSD-3-Clause
include_guard()
#[[.rst:
z_tsb_json
----------

Small readers and writers of JSON on top of ``string(JSON)``.

``z_tsb_json_get(<out> <json> <default> <path>...)``
  The member at ``<path>``, or ``<default>`` when it is not there or null.

``z_tsb_json_list(<out> <json> <path>...)``
  The array at ``<path>`` as a list; a lone string counts as an array of one.

``z_tsb_json_quote(<out> <text>)``
  ``<text>`` as a JSON string, quotes included.
#]]

function(z_tsb_json_get out json default)
  string(JSON kind ERROR_VARIABLE error TYPE "${json}" ${ARGN})
  if(error OR kind STREQUAL "NULL")
    set(value "${default}")
  else()
    string(JSON value GET "${json}" ${ARGN})
  endif()
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

function(z_tsb_json_list out json)
  set(values "")
  string(JSON kind ERROR_VARIABLE error TYPE "${json}" ${ARGN})
  if(NOT error AND kind STREQUAL "ARRAY")
    string(JSON count LENGTH "${json}" ${ARGN})
    if(count GREATER 0)
      math(EXPR last "${count} - 1")
      foreach(index RANGE ${last})
        string(JSON value GET "${json}" ${ARGN} ${index})
        list(APPEND values "${value}")
      endforeach()
    endif()
  elseif(NOT error AND kind STREQUAL "STRING")
    string(JSON values GET "${json}" ${ARGN})
  endif()
  set(${out} "${values}" PARENT_SCOPE)
endfunction()

function(z_tsb_json_quote out text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n" text "${text}")
  string(REPLACE "\r" "\\r" text "${text}")
  string(REPLACE "\t" "\\t" text "${text}")
  set(${out} "\"${text}\"" PARENT_SCOPE)
endfunction()
