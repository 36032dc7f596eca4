# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_staged_trees(<out-var of the tree> <out-var of the debug tree>): what was staged, of a conda package what it is
# laid out of; the second is empty when the artifact has no debug package.
function(z_tsb_staged_trees out_tree out_debug)
  set(stage "${artifact_build_folder}/stage/${artifact_name}")
  set(tree_of_libtorch libtorch)
  set(tree_of_wheel site-packages)
  set(tree_of_package prefix)
  set(debug_of_libtorch debug/libtorch)
  set(debug_of_wheel debug/torch)
  set(debug "")
  if(artifact_debug_file)
    set(debug "${stage}/${debug_of_${artifact_tree}}")
  endif()
  set(${out_tree} "${stage}/${tree_of_${artifact_tree}}" PARENT_SCOPE)
  set(${out_debug} "${debug}" PARENT_SCOPE)
endfunction()
