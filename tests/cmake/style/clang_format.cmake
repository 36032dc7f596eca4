# SPDX-License-Identifier: BSD-3-Clause
# C++ files look as .clang-format says.
include(${CMAKE_CURRENT_LIST_DIR}/files_of_project.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/clang_tool.cmake)
clang_tool(clang_format clang-format)
files_of_project(files "\\.(cpp|cc|h|hpp)$")
list(FILTER files EXCLUDE REGEX "^tests/fixtures/")
execute_process(
  COMMAND ${clang_format} --dry-run -Werror ${files} WORKING_DIRECTORY ${TSB_SOURCE_DIR} RESULT_VARIABLE status
)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "format the files above with clang-format -i")
endif()
