# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/model/tsb_read_record.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_python_command.cmake)

# z_tsb_run_python(<out-var> <script> <argument>...): runs a script with the libraries of requirements.txt, which the
# step fetch has unpacked. Sets <out-var> to what it printed, and `result`.
function(z_tsb_run_python out script)
  tsb_read_record("${artifact_build_folder}/fetch/request.json" request)
  tsb_python_command(command "${request_python}" "${script}" MODULES "${artifact_build_folder}/python-tools")
  execute_process(COMMAND ${command} ${ARGN} OUTPUT_VARIABLE output RESULT_VARIABLE result)
  set(${out} "${output}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()
