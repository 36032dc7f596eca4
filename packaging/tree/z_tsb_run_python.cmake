# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_python_command.cmake)

# z_tsb_run_python(<out-var> <artifact json> <script> <argument>...): runs a script with the Python that the artifact is
# for and the modules that building it needed, setuptools among them. Sets <out-var> to what it printed, and `result`.
function(z_tsb_run_python out artifact script)
  z_tsb_json_take(artifact build_folder package)
  file(READ "${build_folder}/packages/${package}/package.json" description)
  z_tsb_json_get(python "${description}" python_executable)
  tsb_python_command(
    command "${python}" "${script}" MODULES "${build_folder}/packages/build-requirements/install/site-packages"
  )
  list(REMOVE_ITEM command -S) # the tests' stand-in for setuptools takes modules from pip
  execute_process(COMMAND ${command} ${ARGN} OUTPUT_VARIABLE output RESULT_VARIABLE result)
  set(${out} "${output}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()
