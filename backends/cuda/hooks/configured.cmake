# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# What the doctor has chosen.
function(z_tsb_cuda_configured out)
  set(of_archs ${TSB_CUDA_ARCHS})
  set(of_cmake_archs ${TSB_CUDA_ARCHS_CMAKE})
  set(of_compression ${TSB_CUDA_COMPRESSION})
  set(of_host_compiler "${TSB_CUDA_HOST_COMPILER}")
  tsb_json_object(found of_ LISTS archs cmake_archs compression TEXTS host_compiler)
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
