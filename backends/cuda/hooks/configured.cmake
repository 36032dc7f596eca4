# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

function(z_tsb_cuda_configured out)
  tsb_json_object(found TSB_CUDA_TOOLKIT_ TEXTS host_compiler)
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
