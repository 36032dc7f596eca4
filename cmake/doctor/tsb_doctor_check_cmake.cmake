# SPDX-License-Identifier: BSD-3-Clause
# CMake itself: workflow presets came with 3.25.
function(tsb_doctor_check_cmake)
  if(CMAKE_VERSION VERSION_LESS 3.25)
    z_tsb_doctor_problem(
      "cmake: ${CMAKE_COMMAND} is ${CMAKE_VERSION}, 3.25 or newer is needed" "./bootstrap.sh installs one"
    )
  else()
    z_tsb_doctor_good("cmake ${CMAKE_VERSION}")
  endif()
endfunction()
