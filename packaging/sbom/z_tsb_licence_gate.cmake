# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_python_command.cmake)

# z_tsb_licence_gate(<build folder> <script of this folder> <argument>...)
#
# Runs one of the gate's scripts. It prints what it finds as two lines each, what is wrong and what to do; all of it is
# reported before the run ends.
function(z_tsb_licence_gate build_folder script)
  file(READ "${build_folder}/settings.json" settings)
  z_tsb_json_take(settings python)
  set(here "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  get_filename_component(third_party "${here}/../../third_party" ABSOLUTE)
  tsb_python_command(command "${python}" "${here}/${script}")
  execute_process(
    COMMAND ${command} --third-party "${third_party}" ${ARGN}
    OUTPUT_VARIABLE faults
    ERROR_VARIABLE trouble
    RESULT_VARIABLE result
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE
  )
  if(result EQUAL 0)
    return()
  endif()
  if(faults STREQUAL "")
    tsb_fail("the licence gate itself failed: ${trouble}" "see packaging/sbom/${script}")
  endif()
  while(faults MATCHES "^([^\n]*)\n([^\n]*)\n(.+)$")
    message(NOTICE "error: ${CMAKE_MATCH_1}\n       ${CMAKE_MATCH_2}")
    set(faults "${CMAKE_MATCH_3}")
  endwhile()
  string(REPLACE "\n" ";" faults "${faults}")
  tsb_fail(${faults})
endfunction()
