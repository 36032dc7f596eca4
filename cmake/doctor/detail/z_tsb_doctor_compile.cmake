# SPDX-License-Identifier: BSD-3-Clause
# What checks that compile a few lines have in common.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_doctor_findings.cmake)

# z_tsb_doctor_temporary(<result> <product>): a new folder in TMPDIR, or /tmp. Without one an error says so, and
# the result is empty.
function(z_tsb_doctor_temporary result product)
  set(place "$ENV{TMPDIR}")
  if(place STREQUAL "")
    set(place /tmp)
  endif()
  get_filename_component(place "${place}" ABSOLUTE)
  z_tsb_doctor_make_folder(folder "${place}/tsb-doctor")
  if(folder STREQUAL "")
    z_tsb_doctor_problem(
      "${product}: the folder for temporary files, ${place}, cannot be written to: ${folder_ERROR}"
      "set TMPDIR to a folder that can be, or unset it: /tmp is taken then"
    )
  endif()
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()

# z_tsb_doctor_compile(<error> <folder> <NAME=value>... <compiler> <argument>...): sets the first error that it writes,
# else how it ended and its last line, which may be the shell's. Empty when it compiles.
function(z_tsb_doctor_compile error folder)
  z_tsb_doctor_run(fault "${folder}" env -i "PATH=$ENV{PATH}" "TMPDIR=${folder}" ${ARGN})
  set(${error} "${fault}" PARENT_SCOPE)
endfunction()

# z_tsb_doctor_run(<error> <folder> <command>...): the same of any command.
function(z_tsb_doctor_run error folder)
  execute_process(
    COMMAND ${ARGN}
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  set(fault "")
  if(NOT status EQUAL 0)
    set(fault "the compiler ended with ${status}")
    if(output MATCHES "[^\n]*([Ee]rror|ERROR|fatal)[^\n]*")
      string(STRIP "${CMAKE_MATCH_0}" fault)
    elseif(output MATCHES "([^\n]*[^ \t\r\n])[ \t\r\n]*$")
      string(APPEND fault ": ${CMAKE_MATCH_1}")
    endif()
    string(REPLACE "${folder}/" "" fault "${fault}")
  endif()
  set(${error} "${fault}" PARENT_SCOPE)
endfunction()
