# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_python_command.cmake)

# z_tsb_licence_gate(<build folder> <script of this folder> <argument>...)
#
# Runs one of the gate's scripts. It prints what it finds as two lines each, what is wrong and what to do; all of it is
# reported before the run ends. What begins with "warning: " is about a folder of the user's, and ends nothing.
function(z_tsb_licence_gate build_folder script)
  tsb_read_record("${build_folder}/settings.json" settings)
  set(here "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  get_filename_component(third_party "${here}/../../third_party" ABSOLUTE)
  tsb_python_command(command "${settings_python}" "${here}/${script}")
  execute_process(
    COMMAND ${command} --third-party "${third_party}" ${ARGN}
    OUTPUT_VARIABLE faults
    ERROR_VARIABLE trouble
    RESULT_VARIABLE result
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE
  )
  if(NOT result EQUAL 0 AND faults STREQUAL "")
    tsb_fail("the licence gate itself failed: ${trouble}" "see packaging/sbom/${script}")
  endif()
  # Warnings come first, so the last one is an error if there is any.
  while(faults MATCHES "^(warning: )?([^\n]*)\n([^\n]*)\n?(.*)$")
    set(faults "${CMAKE_MATCH_4}")
    if(CMAKE_MATCH_1)
      message(NOTICE "warning: ${CMAKE_MATCH_2}\n         ${CMAKE_MATCH_3}")
    elseif(faults STREQUAL "")
      tsb_fail("${CMAKE_MATCH_2}" "${CMAKE_MATCH_3}")
    else()
      message(NOTICE "error: ${CMAKE_MATCH_2}\n       ${CMAKE_MATCH_3}")
    endif()
  endwhile()
endfunction()
