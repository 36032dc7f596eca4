# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_source_commit(<out-var> <source>): its commit, as the record `sources` has it. A folder of the user's without
# one is named by its content: tree-<SHA-256>.
function(z_tsb_source_commit out name)
  set(commit "${sources_${name}_commit}")
  if(commit STREQUAL "" AND sources_${name}_tree_sha256)
    set(commit "tree-${sources_${name}_tree_sha256}")
  endif()
  set(${out} "${commit}" PARENT_SCOPE)
endfunction()
