# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_python_command.cmake)

# z_tsb_sources(<out-var> <build folder> <word>...): runs cmake/sources, which fetches, unpacks and patches; its exit
# status.
function(z_tsb_sources out build_folder)
  file(READ "${build_folder}/settings.json" settings)
  z_tsb_json_take(settings python)
  tsb_python_command(command "${python}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../sources")
  execute_process(COMMAND ${command} ${ARGN} RESULT_VARIABLE code)
  set(${out} "${code}" PARENT_SCOPE)
endfunction()
