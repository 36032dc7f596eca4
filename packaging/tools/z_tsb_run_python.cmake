# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_python_command.cmake)

# z_tsb_run_python(<out-var> <artifact json> <script> <argument>...): runs a script with the libraries of
# requirements.txt, which the step fetch has unpacked, and with our modules here and in cmake/sources. Sets <out-var> to
# what it printed, and `result`.
function(z_tsb_run_python out artifact script)
  z_tsb_json_take(artifact build_folder)
  file(READ "${build_folder}/fetch/request.json" request)
  z_tsb_json_take(request python) # some libraries are compiled for it
  set(here "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  tsb_python_command(
    command "${python}" "${script}" MODULES "${here}" "${here}/../../cmake/sources" "${build_folder}/python-tools"
  )
  execute_process(COMMAND ${command} ${ARGN} OUTPUT_VARIABLE output RESULT_VARIABLE result)
  set(${out} "${output}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()
