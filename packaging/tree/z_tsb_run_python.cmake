# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_run_python(<out-var> <artifact json> <script> <argument>...): runs a script with the Python that the artifact is
# for and the modules that building it needed, setuptools among them. Sets <out-var> to what it printed, and `result`.
function(z_tsb_run_python out artifact)
  z_tsb_json_take(artifact build_folder package)
  file(READ "${build_folder}/packages/${package}/package.json" description)
  z_tsb_json_get(python "${description}" python_executable)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${build_folder}/packages/build-requirements/install/site-packages"
            PYTHONDONTWRITEBYTECODE=1 "${python}" ${ARGN} OUTPUT_VARIABLE output RESULT_VARIABLE result
  )
  set(${out} "${output}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()
