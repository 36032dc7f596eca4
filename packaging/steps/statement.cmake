# SPDX-License-Identifier: BSD-3-Clause
# Step statement: writes beside each packed file what it was made from, <file>.intoto.json, signed by the command in
# TSB_SIGN if there is one (docs/provenance.md).
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_call_python.cmake")

macro(z_tsb_inputs_of_artifact_statement)
  z_tsb_step_after(inputs ${name} pack)
  z_tsb_origin(origin)
  z_tsb_step_value(inputs "origin" "${origin}")
  string(SHA256 signer "$ENV{TSB_SIGN}") # it may hold a secret
  z_tsb_step_value(inputs "TSB_SIGN" "${signer}")
  z_tsb_step_scripts(
    inputs steps/statement.cmake ../engine/make_statements.py ../engine/build_folder.py ../engine/text.py
    ../engine/partial_file.py ../engine/sources/local.py ../engine/sources/tree.py ../engine/sources/git.py
  )
endmacro()

# z_tsb_origin(<out-var>): this project's checkout, as JSON.
function(z_tsb_origin out)
  tsb_call_python("${TSB_BUILD_FOLDER}" make_statements --origin INTO found)
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

function(z_tsb_run_statement)
  z_tsb_staged_trees(tree debug)
  set(manifest "${tree}/manifest.json")
  if(artifact_tree STREQUAL "package")
    set(manifest "${tree}/share/${artifact_conda_package}/manifest.json")
  elseif(NOT EXISTS "${manifest}")
    set(manifest "${tree}/torch/manifest.json") # a wheel's
  endif()
  z_tsb_origin(origin)
  tsb_call_python(
    "${TSB_BUILD_FOLDER}" make_statements "${TSB_BUILD_FOLDER}" ${name} "${manifest}" "${origin}" INTO lines
  )
  string(REPLACE "\n" ";" lines "${lines}")
  set(outputs ${lines} PARENT_SCOPE)
endfunction()
