# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_call_python.cmake)

# z_tsb_bundle(<root of a tree> <report> [<option of bundle_tree.py>...]): makes the tree independent of this machine.
function(z_tsb_bundle root report)
  tsb_call_python(
    "${artifact_build_folder}" tree/bundle_tree.py --artifact
    "${artifact_build_folder}/artifacts/${artifact_name}.json" --root "${root}" --report "${report}" ${ARGN}
  )
endfunction()
