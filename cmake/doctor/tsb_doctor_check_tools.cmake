# SPDX-License-Identifier: BSD-3-Clause
# Small tools that sources are unpacked and patched with; git only for sources that are given as commits; with CUDA what
# the makefiles of NCCL and MAGMA call.
function(tsb_doctor_check_tools)
  z_tsb_doctor_install(remedy patch patch)
  z_tsb_doctor_tool(patch "" "${remedy}")
  z_tsb_doctor_install(remedy tar tar)
  z_tsb_doctor_tool(tar "" "${remedy}")
  z_tsb_doctor_install(remedy xz-utils xz)
  z_tsb_doctor_tool(xz "" "${remedy}")
  if(NOT "${doctor_CUDA_VERSION}" STREQUAL "")
    z_tsb_doctor_install(remedy make make)
    z_tsb_doctor_tool(make "" "${remedy}")
    # NCCL's makefile looks for nvcc and python3 with it, and without it ends with a missing Python.
    find_program(which which NO_CACHE)
    if(which)
      z_tsb_doctor_good("which: ${which}") # not every one knows --version
    else()
      z_tsb_doctor_install(remedy debianutils which)
      z_tsb_doctor_problem("which: not found; NCCL's makefile looks for programs with it" "${remedy}")
    endif()
  endif()
  find_program(git git NO_CACHE)
  if(git)
    z_tsb_doctor_tool(git "" "")
  else()
    z_tsb_doctor_good("git: none (only needed for sources that are given as commits)")
  endif()
endfunction()
