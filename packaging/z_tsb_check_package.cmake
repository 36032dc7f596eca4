# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/../cmake")
include("${z_tsb_cmake}/detail/tsb_fail.cmake")
include("${z_tsb_cmake}/detail/tsb_progress.cmake")
include("${z_tsb_cmake}/detail/z_tsb_write_file.cmake")

# z_tsb_check_package(<package> <folder> <debug folder> <report>): `torchpkg check` on <folder>, which has the files of
# <package>; its rows are kept in <report>, as JSON, and printed when one fails. No path of this build may be in the
# package. Without debug information its argument is empty.
function(z_tsb_check_package package folder debug report)
  tsb_read_record("${artifact_build_folder}/settings.json" settings)
  file(STRINGS "${artifact_build_folder}/CMakeCache.txt" home REGEX "^CMAKE_HOME_DIRECTORY:INTERNAL=")
  string(REGEX REPLACE "^[^=]*=" "" home "${home}")
  set(forbidden "${artifact_build_folder}" "${home}")
  foreach(path IN LISTS forbidden)
    get_filename_component(path "${path}" REALPATH) # as a compiler may have named it
    list(APPEND forbidden "${path}")
  endforeach()
  list(REMOVE_DUPLICATES forbidden)
  list(TRANSFORM forbidden PREPEND "--forbid-path;")
  set(debug_option "")
  if(debug)
    set(debug_option --debug "${debug}")
  endif()
  file(REMOVE "${report}") # of another run; when torchpkg itself fails there is none
  tsb_progress("checking ${package}")
  execute_process(
    COMMAND "${settings_torchpkg}" check "${folder}" ${forbidden} --report "${report}" ${debug_option} --brief
    RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    tsb_fail("${package} does not pass its checks" "the rows above say which and why; the same as JSON: ${report}")
  endif()
endfunction()
