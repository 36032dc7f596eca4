# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_script_command
------------------

The beginning of a command that runs one of this project's scripts in CMake, by ``run_script.py``. ::

  tsb_script_command(<out-var> <python>)
  add_custom_target(... COMMAND ${<out-var>} -D NAME=VALUE... -P <script>)
#]]
include_guard(GLOBAL)

function(tsb_script_command out python)
  set(${out} "${python}" -I -S "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/run_script.py" "${CMAKE_COMMAND}" PARENT_SCOPE)
endfunction()
