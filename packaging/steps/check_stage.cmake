# SPDX-License-Identifier: BSD-3-Clause
# Step check_stage: `torchpkg check` on the staged tree, before it is packed.
include("${CMAKE_CURRENT_LIST_DIR}/../z_tsb_check_package.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../z_tsb_staged_trees.cmake")

macro(z_tsb_inputs_of_artifact_check_stage)
  z_tsb_step_after(inputs ${name} stage)
  z_tsb_step_file(inputs "torchpkg" "${torchpkg}")
  z_tsb_step_scripts(inputs steps/check_stage.cmake z_tsb_check_package.cmake z_tsb_staged_trees.cmake)
endmacro()

function(z_tsb_run_check_stage)
  z_tsb_staged_trees(tree debug)
  z_tsb_check_package("${tree}" "${tree}" "${debug}" "${stage}/check.json")
endfunction()
