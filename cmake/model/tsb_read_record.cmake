# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_read_record
---------------

Reads a record, a JSON file of the build folder, into variables, so that no script takes JSON apart: what configure has
resolved about a package or an artifact, and what Python has found. ::

  tsb_read_record(<file> <prefix>)

``{"name": "a", "features": {"MKL": {"option": "USE_MKL"}}}`` with the prefix ``package`` sets ``package_name``,
``package_features``, a list with ``MKL``, and ``package_features_MKL_option`` in the caller's scope.

===================  ===================================================================================================
an object            a list of its members' names, and their variables; of the whole record, ``<prefix>_members``
an array of texts    a list; a ``;`` in a text is escaped
an array of objects  a list of numbers from 0 on, and variables such as ``<prefix>_patches_0_file``
``true``, ``false``  ``ON``, ``OFF``
an absent member     undefined, also when a variable of that name was there before
===================  ===================================================================================================

The commands that set them are kept in ``<file>.<prefix>.cmake``, until the record is a newer one. Errors: there is no such
file; it is not JSON.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_write_file.cmake)

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

# z_tsb_keep_record(<file> <prefix>): writes <file>.<prefix>.cmake.
function(z_tsb_keep_record file prefix)
  file(READ "${file}" json)
  string(JSON type TYPE "${json}")
  z_tsb_record_commands(commands ${prefix} OBJECT "${json}")
  string(REPLACE "set(${prefix} [" "set(${prefix}_members [" commands "${commands}")
  file(REMOVE "${file}.${prefix}.cmake") # an equal one would stay as old as it is
  z_tsb_write_file("${file}.${prefix}.cmake" "# The same as the JSON beside it.\n${commands}")
endfunction()

macro(tsb_read_record file prefix)
  get_cmake_property(z_tsb_names VARIABLES)
  list(FILTER z_tsb_names INCLUDE REGEX "^${prefix}_")
  foreach(z_tsb_name IN LISTS z_tsb_names)
    unset(${z_tsb_name})
  endforeach()
  if("${file}" IS_NEWER_THAN "${file}.${prefix}.cmake")
    z_tsb_keep_record("${file}" ${prefix})
  endif()
  include("${file}.${prefix}.cmake")
endmacro()
