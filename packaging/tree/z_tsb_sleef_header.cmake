# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_sleef_header(<include folder>): adds sleef.h.
#
# ATen/cpu/vec includes it, and so does all code that torch.compile writes for the CPU, which goes on without vectors
# when that does not compile. PyTorch installs the header of the SLEEF in its own tree only; the functions are in
# libtorch_cpu either way.
function(z_tsb_sleef_header include)
  if(EXISTS "${include}/sleef.h")
    return()
  endif()
  set(header "${artifact_build_folder}/packages/sleef/install/include/sleef.h")
  if(NOT EXISTS "${header}")
    tsb_fail("there is no ${header}" "see the log of SLEEF's stage phase")
  endif()
  file(COPY "${header}" DESTINATION "${include}")
endfunction()
