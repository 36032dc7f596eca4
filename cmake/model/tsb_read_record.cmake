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

The commands that set them are kept in ``<file>.<prefix>.cmake``, until the record is another one; ``record.py`` writes
both.

Errors: there is no such file; it is not JSON.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/tsb_fail.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_set_record.cmake)

# z_tsb_keep_record(<out-var> <file> <prefix>): the file with the commands, which is written unless it is of this JSON.
# The content decides, since what comes out of the store is older than what was there.
function(z_tsb_keep_record out file prefix)
  set(kept "${file}.${prefix}.cmake")
  set(${out} "${kept}" PARENT_SCOPE)
  if(NOT EXISTS "${file}")
    tsb_fail("${file} is not there any more" "configure again, which writes it: cmake --preset <preset>")
  endif()
  file(READ "${file}" json)
  string(SHA256 hash "${json}")
  if(EXISTS "${kept}")
    file(STRINGS "${kept}" first LIMIT_COUNT 1)
    if(first STREQUAL "# ${hash}")
      return()
    endif()
  endif()
  z_tsb_commands_of_record(commands ${prefix} "${json}")
  string(RANDOM LENGTH 8 suffix)
  file(TOUCH "${kept}.${suffix}")
  execute_process(COMMAND chmod "--reference=${file}" "${kept}.${suffix}") # fetch/request.json may hold a password
  file(WRITE "${kept}.${suffix}" "# ${hash}\n${commands}")
  file(RENAME "${kept}.${suffix}" "${kept}")
endfunction()

macro(tsb_read_record file prefix)
  z_tsb_forget_record(${prefix})
  z_tsb_keep_record(z_tsb_kept "${file}" ${prefix})
  include("${z_tsb_kept}")
endmacro()
