# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json.cmake)

# z_tsb_sources(<out-var> <build folder> <word>...): runs cmake/sources, which fetches, unpacks and patches; its exit
# status.
function(z_tsb_sources out build_folder)
  file(READ "${build_folder}/settings.json" settings)
  z_tsb_json_take(settings python)
  # Isolated: no PYTHON* variable, installed module or user's folder has a say, and the tree gets no __pycache__.
  execute_process(
    COMMAND "${python}" -I -S -B -X utf8 "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../sources" ${ARGN} RESULT_VARIABLE code
  )
  set(${out} "${code}" PARENT_SCOPE)
endfunction()
