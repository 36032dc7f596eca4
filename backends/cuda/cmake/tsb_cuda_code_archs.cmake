# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/detail/tsb_fail.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/model/tsb_read_record.cmake)

# tsb_cuda_code_archs(<prefix> <library>): the architectures for which a library or an archive has
# machine code, <prefix>_MACHINE, and intermediate code, <prefix>_INTERMEDIATE: "8.0;9.0a".
function(tsb_cuda_code_archs prefix library) # the record `settings` is read
  execute_process(
    COMMAND "${settings_torchpkg}" scan --device-code "${library}" OUTPUT_VARIABLE found RESULT_VARIABLE code
  )
  if(NOT code EQUAL 0)
    tsb_fail("the code for GPUs in ${library} cannot be read" "see the message above")
  endif()
  z_tsb_json_get_each(targets "${found}" "files;0;device_code;groups" targets)
  foreach(kind IN ITEMS MACHINE=sm INTERMEDIATE=compute)
    string(REGEX MATCH "^(.+)=(.+)$" ignored "${kind}")
    set(name "${prefix}_${CMAKE_MATCH_1}")
    string(REGEX MATCHALL "${CMAKE_MATCH_2}_[0-9]+[af]?" archs "${targets}")
    list(REMOVE_DUPLICATES archs)
    list(TRANSFORM archs REPLACE "^[a-z]+_([0-9]+)([0-9][af]?)$" "\\1.\\2")
    list(SORT archs COMPARE NATURAL)
    set(${name} "${archs}" PARENT_SCOPE)
  endforeach()
endfunction()
