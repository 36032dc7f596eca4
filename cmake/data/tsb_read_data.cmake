# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_read_data
-------------

Reads a file of data, and refuses one that is not what it must be: it may be an addition of the user's, and a missing
member would be taken for an empty one. ::

  tsb_read_data(<result> <file> [IN_LISTS] [STRING <member>...] [ARRAY <member>...] [OBJECT <member>...])

``<result>`` is set to the JSON text of ``<file>``. The lists name the members that it must have, by their types.
``IN_LISTS`` says that the text is passed on in CMake's lists, so it must not hold a ``;``.

Errors: the file is missing or is not a JSON object; a member is missing or has another type; a ``;``.
#]]
include_guard(GLOBAL)

function(tsb_read_data result file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "IN_LISTS" "" "STRING;ARRAY;OBJECT")
  if(NOT EXISTS "${file}" OR IS_DIRECTORY "${file}")
    message(FATAL_ERROR "  ${file} is missing, or is a folder\n  add the file")
  endif()
  file(READ "${file}" text)
  string(JSON type ERROR_VARIABLE fault TYPE "${text}")
  if(NOT fault STREQUAL "NOTFOUND")
    string(REGEX REPLACE "[\r\n]+" " " fault "${fault}")
    message(FATAL_ERROR "  ${file} is not valid JSON: ${fault}\n  correct it")
  elseif(NOT type STREQUAL "OBJECT")
    message(FATAL_ERROR "  ${file} is not a JSON object but of type ${type}\n  correct it")
  elseif(arg_IN_LISTS AND text MATCHES ";")
    message(
      FATAL_ERROR "  ${file} holds a ';', which ends an element of a list of CMake's\n  write lists as JSON arrays"
    )
  endif()
  foreach(wanted IN ITEMS STRING ARRAY OBJECT)
    foreach(member IN LISTS arg_${wanted})
      string(JSON type ERROR_VARIABLE fault TYPE "${text}" ${member})
      if(NOT fault STREQUAL "NOTFOUND")
        message(FATAL_ERROR "  ${file} has no member '${member}'\n  add it, of type ${wanted}")
      elseif(NOT type STREQUAL wanted)
        message(FATAL_ERROR "  '${member}' in ${file} is of type ${type}\n  it must be of type ${wanted}")
      endif()
    endforeach()
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
