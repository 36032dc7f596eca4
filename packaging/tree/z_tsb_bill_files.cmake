# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/tsb_progress.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_python_command.cmake)

# z_tsb_bill_files(<root of what is packed> <its bills, without .spdx.json and .cdx.json>): writes into the bills of
# materials which files there are, with their hashes. To be called last, when nothing changes them any more.
function(z_tsb_bill_files root bills)
  tsb_progress("hashing the files for the bills of materials")
  tsb_read_record("${artifact_build_folder}/settings.json" settings)
  tsb_python_command(command "${settings_python}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../sbom/add_files.py")
  execute_process(COMMAND ${command} --root "${root}" --bills "${bills}" OUTPUT_VARIABLE output RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    string(REGEX MATCH "^([^\n]*)\n([^\n]*)" explained "${output}")
    if(NOT explained)
      tsb_fail("cannot write the files of ${root} into its bills of materials" "see the message above")
    endif()
    tsb_fail("${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
  endif()
endfunction()
