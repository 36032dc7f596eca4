# SPDX-License-Identifier: BSD-3-Clause
# No comment in a CMake file is wider than 120 columns. Code is cmake-format's, which leaves long strings alone.
include(${CMAKE_CURRENT_LIST_DIR}/files_of_project.cmake)
files_of_project(files "(\\.cmake|CMakeLists\\.txt)$")
set(begin "FNR == 1 { inside = 0 } /^ *#\\[\\[/ { inside = 1 }")
set(end "/^#?\\]\\]/ { inside = 0 }")
execute_process(
  COMMAND awk "${begin} length($0) > 120 && (inside || /^ *#/) { print FILENAME \":\" FNR } ${end}" ${files}
  WORKING_DIRECTORY ${TSB_SOURCE_DIR} OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY
)
if(found)
  message(FATAL_ERROR "break these comments at 120 columns:\n${found}")
endif()
