# SPDX-License-Identifier: BSD-3-Clause
# CMake files look as .gersemirc says. Other versions of gersemi have other opinions, so only one is asked: the one that
# bootstrap.sh brings along. In: VERSION, and FOLDER, where it was installed.
include(${CMAKE_CURRENT_LIST_DIR}/files_of_project.cmake)
find_program(gersemi NAMES gersemi HINTS ${FOLDER}/bin NO_CACHE)
if(NOT gersemi)
  message("SKIP: there is no gersemi; ./bootstrap.sh --test installs it")
  return()
endif()
if(gersemi STREQUAL "${FOLDER}/bin/gersemi")
  set(ENV{PYTHONPATH} ${FOLDER})
endif()
execute_process(COMMAND ${gersemi} --version OUTPUT_VARIABLE output ERROR_VARIABLE error)
if(NOT output MATCHES "gersemi ${VERSION}\n")
  string(REGEX REPLACE "\n.*" "" output "${output}${error}")
  message("SKIP: the files are formatted with gersemi ${VERSION}, this is ${output}")
  return()
endif()
files_of_project(files "(\\.cmake|CMakeLists\\.txt)$")
execute_process(
  COMMAND ${gersemi} --check --no-cache ${files}
  WORKING_DIRECTORY ${TSB_SOURCE_DIR}
  RESULT_VARIABLE status
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
)
if(NOT status EQUAL 0)
  # Functions of the same name in several test scripts are meant.
  string(REGEX REPLACE "Warning: conflicting[^\n]*\n(\\((used|ignored)\\)[^\n]*\n)*" "" output "${output}")
  message(FATAL_ERROR "${output}\nformat these files with gersemi -i")
endif()
