# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/slices.cmake)

function(z_tsb_cuda_settings out)
  set(faults "")
  z_tsb_cuda_slices_fault(fault)
  z_tsb_refuse_setting(TSB_CUDA_SLICES "${fault}")
  set(${out} "${faults}" PARENT_SCOPE)
endfunction()
