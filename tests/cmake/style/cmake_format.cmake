# SPDX-License-Identifier: BSD-3-Clause
# CMake files look as .cmake-format.py says. In: TOOLS.
include(${CMAKE_CURRENT_LIST_DIR}/style_tool.cmake)
style_tool(cmake_format cmake-format)
files_of_project(files "(\\.cmake|CMakeLists\\.txt)$")
# Half a minute of one processor: shared by two.
list(JOIN files "\n" files)
file(WRITE ${TSB_TEST_DIR}/files.txt "${files}\n")
execute_process(
  COMMAND xargs -P 2 -n 50 ${cmake_format} --config-files ${TSB_SOURCE_DIR}/.cmake-format.py --check --
  WORKING_DIRECTORY ${TSB_SOURCE_DIR}
  INPUT_FILE ${TSB_TEST_DIR}/files.txt
  RESULT_VARIABLE status
)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "format the files above: PYTHONPATH=${TOOLS} ${cmake_format} -i <file>...")
endif()
