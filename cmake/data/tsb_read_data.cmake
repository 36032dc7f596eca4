# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_read_data
-------------

Reads a file of data, and refuses one that is not what it must be: it may be an addition of the user's, and a missing
member would be taken for an empty one. ::

  tsb_read_data(<result> <file> [IN_LISTS] [STRING <member>...] [ARRAY <member>...] [OBJECT <member>...] [BOOLEAN ...])

``<result>`` is set to the JSON text of ``<file>``. The lists name its members by their types: ``name`` must be there,
``name?`` may be missing, and ``inside.name?`` is one of the object ``inside``; ``inside.0`` is the first of an array.
``IN_LISTS`` says that the text is passed on in CMake's lists, so it must not hold a ``;``.

Errors: the file is missing or is not a JSON object; a member is missing or has another type; a ``;``.
#]]
include_guard(GLOBAL)

# z_tsb_check_members(<json> <where it is> <the lists of tsb_read_data>)
function(z_tsb_check_members json place)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "STRING;ARRAY;OBJECT;BOOLEAN")
  foreach(wanted IN ITEMS STRING ARRAY OBJECT BOOLEAN)
    foreach(member IN LISTS arg_${wanted})
      string(REGEX REPLACE "[?]$" "" name "${member}")
      string(REPLACE "." ";" way "${name}")
      string(JSON type ERROR_VARIABLE fault TYPE "${json}" ${way})
      if(NOT fault STREQUAL "NOTFOUND")
        if(name STREQUAL member)
          message(FATAL_ERROR "  ${place} has no member '${name}'\n  add it, of type ${wanted}")
        endif()
      elseif(NOT type STREQUAL wanted)
        message(FATAL_ERROR "  '${name}' in ${place} is of type ${type}\n  it must be of type ${wanted}")
      endif()
    endforeach()
  endforeach()
endfunction()

function(tsb_read_data result file)
  cmake_parse_arguments(PARSE_ARGV 2 arg "IN_LISTS" "" "")
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
  z_tsb_check_members("${text}" "${file}" ${arg_UNPARSED_ARGUMENTS})
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
