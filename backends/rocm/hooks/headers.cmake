# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# HIP's headers are compiled into libtorch_hip; their licence is the runtime's.
function(z_tsb_rocm_headers out backend artifact)
  z_tsb_json_take(artifact build_folder)
  file(GLOB runtime "${build_folder}/packages/rocm-toolkit/install/lib/libamdhip64.so.[0-9]*")
  if(NOT runtime)
    tsb_fail("package rocm-toolkit has no libamdhip64.so" "see the log of its stage phase")
  endif()
  list(SORT runtime COMPARE NATURAL)
  list(GET runtime 0 runtime)
  set(${out} "${runtime}" PARENT_SCOPE)
endfunction()
