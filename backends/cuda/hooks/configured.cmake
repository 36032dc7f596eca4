# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# What the doctor has chosen.
function(z_tsb_cuda_configured out)
  set(found "{}")
  z_tsb_json_set_array(found archs ${TSB_CUDA_ARCHS})
  z_tsb_json_set_array(found cmake_archs ${TSB_CUDA_ARCHS_CMAKE})
  z_tsb_json_set_array(found compression ${TSB_CUDA_COMPRESSION})
  z_tsb_json_set_string(found host_compiler "${TSB_CUDA_HOST_COMPILER}")
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
