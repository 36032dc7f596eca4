# SPDX-License-Identifier: BSD-3-Clause
# The project's presets in the folder TSB_TEST_DIR/a project, with a CMakeLists.txt that says what a preset has set.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/tests/fixtures/release.cmake)
set(project "${TSB_TEST_DIR}/a project")
file(COPY ${TSB_SOURCE_DIR}/presets ${TSB_SOURCE_DIR}/CMakePresets.json DESTINATION "${project}")
file(
  WRITE "${project}/CMakeLists.txt"
  [[
cmake_minimum_required(VERSION 3.25)
project(p NONE)
include(CTest)
foreach(name IN ITEMS TSB_PRESET TSB_BACKEND TSB_PYTORCH_VERSION TSB_BLAS TSB_ARTIFACTS)
  string(APPEND settings "${${name}}|")
endforeach()
message(STATUS "settings: ${settings}")
message(STATUS "packages: [${TSB_PACKAGES}]")
]]
)

# list_presets(<option>): sets output.
function(list_presets)
  execute_process(
    COMMAND ${CMAKE_COMMAND} ${ARGN}
    WORKING_DIRECTORY "${project}"
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output COMMAND_ERROR_IS_FATAL ANY
  )
  set(output "${output}" PARENT_SCOPE)
endfunction()

# expect_settings(<preset> <backend> <release> <BLAS> <artifacts>): and the folder is the preset's.
function(expect_settings preset)
  execute_process(
    COMMAND ${CMAKE_COMMAND} --preset ${preset} WORKING_DIRECTORY "${project}"
    OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY
  )
  string(REGEX MATCH "settings: [^\n]*" settings "${output}")
  set(expected "settings: ${preset}|")
  foreach(index RANGE 1 4)
    string(APPEND expected "${ARGV${index}}|")
  endforeach()
  tsb_expect("${preset}" EQUAL "${settings}" "${expected}")
  tsb_expect("its build folder" EXISTS "${project}/build/${preset}/build.ninja")
endfunction()
