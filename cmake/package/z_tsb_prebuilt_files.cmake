# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake")

# z_tsb_prebuilt_files(<out-var> <pin> <folder>): what is taken from a folder of the user's that holds an installed
# copy of the source instead of the source itself, as paths below it. Such a folder may be a whole prefix with other
# people's files, so the pin says under `prebuilt` what is the source's: patterns, the first of which is only there
# when it is installed. Empty: the folder is a source tree, or the pin does not take installed copies.
function(z_tsb_prebuilt_files out pin folder)
  set(${out} "" PARENT_SCOPE)
  z_tsb_json_get_list(patterns "${pin}" prebuilt)
  set(files "")
  foreach(pattern IN LISTS patterns)
    file(
      GLOB found
      LIST_DIRECTORIES false
      RELATIVE "${folder}"
      "${folder}/${pattern}"
    )
    if(NOT files AND NOT found)
      return()
    endif()
    list(APPEND files ${found})
  endforeach()
  list(REMOVE_DUPLICATES files)
  set(${out} "${files}" PARENT_SCOPE)
endfunction()
