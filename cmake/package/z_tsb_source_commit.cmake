# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)

# z_tsb_source_commit(<out-var> <content of sources.json> <source>): its commit. A folder of the user's without one is
# named by its content: tree-<SHA-256>.
function(z_tsb_source_commit out sources name)
  z_tsb_json_get(commit "${sources}" "${name}" commit)
  z_tsb_json_get(tree "${sources}" "${name}" tree_sha256)
  if(commit STREQUAL "" AND NOT tree STREQUAL "")
    set(commit "tree-${tree}")
  endif()
  set(${out} "${commit}" PARENT_SCOPE)
endfunction()
