# SPDX-License-Identifier: BSD-3-Clause
# Step statement: writes beside each packed file what it was made from, <file>.intoto.json, and which known
# vulnerabilities it has, <file>.openvex.json, both signed by the command in TSB_SIGN if there is one
# (docs/provenance.md).
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_python_command.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../z_tsb_advisories.cmake")

macro(z_tsb_inputs_of_artifact_statement)
  z_tsb_step_after(inputs ${name} pack)
  z_tsb_project_commit(commit clean)
  z_tsb_step_value(inputs "commit of torch-superbuild" "${commit}")
  z_tsb_step_value(inputs "clean" "${clean}")
  string(SHA256 signer "$ENV{TSB_SIGN}") # it may hold a secret
  z_tsb_step_value(inputs "TSB_SIGN" "${signer}")
  z_tsb_advisories(advisories "${artifact}")
  z_tsb_step_file(inputs "advisories.json" "${advisories}")
  z_tsb_step_scripts(
    inputs steps/statement.cmake z_tsb_advisories.cmake provenance sbom/bill.py sbom/components.py sbom/advisories.py
    sbom/version_order.py ../cmake/sources/text.py ../cmake/sources/partial_file.py ../cmake/sources/run.py
    ../cmake/sources/local.py ../cmake/sources/git.py
  )
endmacro()

# z_tsb_project_commit(<out-var> <out-var>): the commit of this project's checkout, and whether nothing in it differs
# from that commit. Both are empty without a checkout.
function(z_tsb_project_commit out out_clean)
  z_tsb_json_take(settings python)
  tsb_python_command(command "${python}" "${Z_TSB_PACKAGING}/provenance/project_commit.py")
  execute_process(COMMAND ${command} OUTPUT_VARIABLE found ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(POP_FRONT found ${out} ${out_clean})
  return(PROPAGATE ${out} ${out_clean})
endfunction()

function(z_tsb_run_statement)
  z_tsb_staged_trees(tree debug "${artifact}")
  set(manifest "${tree}/manifest.json")
  if(NOT EXISTS "${manifest}")
    set(manifest "${tree}/torch/manifest.json") # a wheel's
  endif()
  z_tsb_json_take(settings python)
  z_tsb_project_commit(commit clean)
  z_tsb_advisories(advisories "${artifact}")
  tsb_python_command(command "${python}" "${Z_TSB_PACKAGING}/provenance/make_statements.py")
  execute_process(
    COMMAND ${command} --build-folder "${TSB_BUILD_FOLDER}" --artifact ${name} --manifest "${manifest}"
            "--commit=${commit}" "--clean=${clean}" "--advisories=${advisories}"
    OUTPUT_VARIABLE lines
    RESULT_VARIABLE result
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  string(REPLACE "\n" ";" lines "${lines}")
  if(NOT result EQUAL 0)
    tsb_fail("the provenance statement of ${name} cannot be made" ${lines})
  endif()
  z_tsb_remove_earlier(${lines})
  set(outputs ${lines} PARENT_SCOPE)
endfunction()
