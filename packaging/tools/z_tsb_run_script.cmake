# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/model/tsb_read_record.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_python_command.cmake)

# z_tsb_run_script(<build folder> <module or script below packaging/> <argument>...)
#
# Runs what needs Python's standard library only. It prints what it finds as two lines each, what is wrong and what to
# do; all of it is reported before the run ends. What begins with "warning: " is about a folder of the user's, and ends
# nothing.
function(z_tsb_run_script build_folder script)
  tsb_read_record("${build_folder}/settings.json" settings)
  if(script MATCHES "\\.py$")
    string(PREPEND script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../")
  endif()
  tsb_python_command(command "${settings_python}" "${script}")
  execute_process(
    COMMAND ${command} ${ARGN}
    OUTPUT_VARIABLE faults
    RESULT_VARIABLE result
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
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
  if(NOT result EQUAL 0)
    tsb_fail("${script} failed" "see the message above")
  endif()
endfunction()
