# SPDX-License-Identifier: BSD-3-Clause
# Step statement: writes beside each packed file what it was made from, <file>.intoto.json, signed by the command in
# TSB_SIGN if there is one (docs/provenance.md).
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_python_command.cmake")

macro(z_tsb_inputs_of_artifact_statement)
  z_tsb_step_after(inputs ${name} pack)
  z_tsb_origin(origin)
  z_tsb_step_value(inputs "origin" "${origin}")
  string(SHA256 signer "$ENV{TSB_SIGN}") # it may hold a secret
  z_tsb_step_value(inputs "TSB_SIGN" "${signer}")
  z_tsb_step_scripts(
    inputs steps/statement.cmake ../engine/make_statements.py ../engine/build_folder.py ../engine/sbom/components.py
    ../engine/text.py ../engine/partial_file.py ../engine/sources/local.py ../engine/sources/tree.py
    ../engine/sources/git.py
  )
endmacro()

# z_tsb_origin(<out-var>): this project's checkout and the folders of the user's that take part, as JSON.
function(z_tsb_origin out)
  tsb_python_command(command "${settings_python}" make_statements)
  execute_process(
    COMMAND ${command} --origin
    OUTPUT_VARIABLE found
    RESULT_VARIABLE result
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  if(NOT result EQUAL 0)
    tsb_fail("the state of this checkout, or of TSB_ADDITIONS, cannot be read" "see the message above")
  endif()
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
  tsb_python_command(command "${settings_python}" make_statements)
  execute_process(
    COMMAND ${command} "${TSB_BUILD_FOLDER}" ${name} "${manifest}" "${origin}"
    OUTPUT_VARIABLE lines
    RESULT_VARIABLE result
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  string(REPLACE "\n" ";" lines "${lines}")
  if(NOT result EQUAL 0)
    tsb_fail("the provenance statement of ${name} cannot be made" ${lines})
  endif()
  set(outputs ${lines} PARENT_SCOPE)
endfunction()
