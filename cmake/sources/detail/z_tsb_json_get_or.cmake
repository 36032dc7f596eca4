# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../../detail/z_tsb_json.cmake")

# z_tsb_json_get_or(<out-var> <json> <default> <member>...): the member as text; the default when it is absent or null.
function(z_tsb_json_get_or out json default)
  string(JSON kind ERROR_VARIABLE error TYPE "${json}" ${ARGN})
  if(error OR kind STREQUAL "NULL")
    set(value "${default}")
  else()
    string(JSON value GET "${json}" ${ARGN})
  endif()
  set(${out} "${value}" PARENT_SCOPE)
endfunction()
