# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# FindHIP.cmake starts hipcc in commands of its own, with this variable's flags. ROCm's headers come before the
# machine's: see packages/rocm-toolkit/lay_out.cmake.
function(z_tsb_rocm_compile_options out options)
  z_tsb_expand(include "@PREFIX_rocm-toolkit@/include")
  list(APPEND options -isystem "${include}")
  set(${out} "set(HIP_HIPCC_FLAGS \"${options}\" CACHE STRING \"Of torch-superbuild\")\n" PARENT_SCOPE)
endfunction()
