# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../z_tsb_run_python.cmake)

# z_tsb_check_metadata(<artifact json> <dist-info>): fails when pip or a package index would refuse its METADATA.
function(z_tsb_check_metadata artifact dist_info)
  z_tsb_run_python(output "${artifact}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check_metadata.py" "${dist_info}")
  if(NOT result EQUAL 0)
    tsb_fail(
      "the wheel's METADATA is not valid; the fields are named above"
      "correct what setup.py, or packaging/wheel/z_tsb_wheel_metadata.cmake, writes into them"
    )
  endif()
endfunction()
