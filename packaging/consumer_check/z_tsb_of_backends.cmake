# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/data/tsb_list_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/z_tsb_json.cmake)

# z_tsb_of_backends(<out-var> <member>...): what this list in the backend.json of each backend has.
function(z_tsb_of_backends out)
  set(items "")
  tsb_list_data(kinds backends)
  foreach(kind IN LISTS kinds)
    tsb_find_data(file "backends/${kind}/backend.json")
    file(READ "${file}" backend)
    z_tsb_json_get_list(of_backend "${backend}" ${ARGN})
    list(APPEND items ${of_backend})
  endforeach()
  set(${out} "${items}" PARENT_SCOPE)
endfunction()
