# SPDX-License-Identifier: BSD-3-Clause
# Step check: `torchpkg check` on the packed file.
include("${CMAKE_CURRENT_LIST_DIR}/../z_tsb_check_package.cmake")

macro(z_tsb_inputs_of_artifact_check)
  z_tsb_inputs_of_packed_files()
  z_tsb_step_file(inputs "torchpkg" "${torchpkg}")
  z_tsb_step_scripts(inputs steps/check.cmake z_tsb_check_package.cmake)
endmacro()

function(z_tsb_run_check)
  z_tsb_packed_files(file debug)
  # A conda package's libraries have been checked, with their debug information, in the staged tree.
  if(product STREQUAL "conda")
    set(debug "")
  endif()
  file(MAKE_DIRECTORY "${work}")
  z_tsb_check_package("${artifact}" "${file}" "${debug}" "${work}/check")
endfunction()
