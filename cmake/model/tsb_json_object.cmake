# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_json_object
---------------

Makes the text of a JSON object out of variables, to hand values to a Python script. ::

  tsb_json_object(<out-var> <prefix> [TEXTS <NAME>...] [LISTS <NAME>...] [OBJECTS <NAME>...])

The member ``<NAME>`` has the value of ``<prefix><NAME>``: a text, a list of texts, or what is JSON already, such as a
number; ``null`` where that is empty.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)

function(tsb_json_object z_tsb_out z_tsb_prefix)
  cmake_parse_arguments(PARSE_ARGV 2 z_tsb_of "" "" "TEXTS;LISTS;OBJECTS")
  set(z_tsb_object "")
  foreach(z_tsb_name IN LISTS z_tsb_of_TEXTS z_tsb_of_LISTS z_tsb_of_OBJECTS)
    set(z_tsb_value "${${z_tsb_prefix}${z_tsb_name}}")
    if(z_tsb_name IN_LIST z_tsb_of_TEXTS)
      z_tsb_json_quote(z_tsb_value "${z_tsb_value}")
    elseif(z_tsb_name IN_LIST z_tsb_of_LISTS)
      set(z_tsb_items "")
      foreach(z_tsb_item IN LISTS z_tsb_value)
        z_tsb_json_quote(z_tsb_item "${z_tsb_item}")
        string(APPEND z_tsb_items ", ${z_tsb_item}")
      endforeach()
      string(REGEX REPLACE "^, " "" z_tsb_items "${z_tsb_items}")
      set(z_tsb_value "[${z_tsb_items}]")
    elseif(z_tsb_value STREQUAL "")
      set(z_tsb_value null)
    endif()
    string(APPEND z_tsb_object ",\n\"${z_tsb_name}\": ${z_tsb_value}")
  endforeach()
  string(REGEX REPLACE "^,\n" "" z_tsb_object "${z_tsb_object}")
  set(${z_tsb_out} "{${z_tsb_object}}" PARENT_SCOPE)
endfunction()
