# SPDX-License-Identifier: BSD-3-Clause
# C++ files look as .clang-format says. Other versions of clang-format have other opinions, so only one is asked.
include(${CMAKE_CURRENT_LIST_DIR}/files_of_project.cmake)
set(version 14)
find_program(clang_format NAMES clang-format-${version} clang-format NO_CACHE)
if(NOT clang_format)
  message("SKIP: there is no clang-format")
  return()
endif()
execute_process(COMMAND ${clang_format} --version OUTPUT_VARIABLE output)
if(NOT output MATCHES "version ${version}\\.")
  string(STRIP "${output}" output)
  message("SKIP: the files are formatted with clang-format ${version}, this is ${output}")
  return()
endif()
files_of_project(files "\\.(cpp|cc|h|hpp)$")
list(FILTER files EXCLUDE REGEX "^tests/fixtures/")
execute_process(
  COMMAND ${clang_format} --dry-run -Werror ${files}
  WORKING_DIRECTORY ${TSB_SOURCE_DIR}
  RESULT_VARIABLE status
)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "format the files above with clang-format -i")
endif()
