# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/data/tsb_list_data.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/model/tsb_set_record.cmake)

# z_tsb_of_backends(<out-var> <member>...): what this list in the backend.json of each backend has.
function(z_tsb_of_backends out)
  set(items "")
  tsb_list_data(kinds backends)
  foreach(kind IN LISTS kinds)
    tsb_find_data(file "backends/${kind}/backend.json")
    file(READ "${file}" backend)
    tsb_set_record(backend backend)
    list(JOIN ARGN "_" member)
    list(APPEND items ${backend_${member}})
  endforeach()
  set(${out} "${items}" PARENT_SCOPE)
endfunction()
