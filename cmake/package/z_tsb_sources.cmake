# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_read_record.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../python/tsb_python_command.cmake)

# z_tsb_sources(<out-var> <build folder> <word>...): runs engine/sources, which fetches, unpacks and patches; its exit
# status.
function(z_tsb_sources out build_folder)
  tsb_read_record("${build_folder}/settings.json" settings)
  tsb_python_command(command "${settings_python}" sources)
  execute_process(COMMAND ${command} ${ARGN} RESULT_VARIABLE code)
  set(${out} "${code}" PARENT_SCOPE)
endfunction()
