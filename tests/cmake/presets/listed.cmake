# SPDX-License-Identifier: BSD-3-Clause
# CMake itself reads the committed files.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
foreach(what IN ITEMS "--list-presets=all" "--workflow;--list-presets")
  execute_process(
    COMMAND ${CMAKE_COMMAND} ${what}
    WORKING_DIRECTORY ${TSB_SOURCE_DIR}
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output COMMAND_ERROR_IS_FATAL ANY
  )
  tsb_expect("the list" CONTAINS "${output}" "\"cpu-libtorch-shared\" - CPU: libtorch, shared, with-deps")
  tsb_expect("the list" CONTAINS "${output}" "- The project's own tests")
endforeach()
