# SPDX-License-Identifier: BSD-3-Clause
# Ninja: job pools and dyndeps work from 1.10 on.
function(tsb_doctor_check_ninja)
  z_tsb_doctor_install(remedy ninja-build ninja-build)
  find_program(ninja_build ninja-build NO_CACHE)
  find_program(ninja ninja NO_CACHE)
  if(ninja_build AND NOT ninja)
    z_tsb_doctor_tool(ninja-build 1.10 "${remedy}")
  else()
    z_tsb_doctor_tool(ninja 1.10 "${remedy}")
  endif()
endfunction()
