# SPDX-License-Identifier: BSD-3-Clause
# Python files look as ruff.toml says, and have none of the faults that it names. In: TOOLS.
include(${CMAKE_CURRENT_LIST_DIR}/style_tool.cmake)
style_tool(ruff ruff)
files_of_project(files "\\.py$")
foreach(command IN ITEMS "check" "format;--diff")
  execute_process(
    COMMAND ${ruff} ${command} --no-cache --force-exclude ${files} WORKING_DIRECTORY ${TSB_SOURCE_DIR}
    RESULT_VARIABLE status
  )
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "fix what is named above, or let ruff do it: ${ruff} check --fix, ${ruff} format")
  endif()
endforeach()
