# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/tsb_cuda_archs.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/tsb_cuda_compression.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/slices.cmake)

# What the release cannot be compiled for. Which architectures nvcc knows is the doctor's question.
function(z_tsb_cuda_settings out)
  set(faults "")
  set(static "")
  if(TSB_ARTIFACTS MATCHES "static|^all$")
    set(static STATIC)
  endif()
  tsb_cuda_compression(flags mode ${backend_version} ${TSB_CUDA_LOWEST_DRIVER})
  tsb_cuda_archs(
    archs "${TSB_CUDA_ARCHS}" PYTORCH "${TSB_PYTORCH_VERSION}" CUDA ${backend_version} COMPRESSION ${mode} ${static}
  )
  z_tsb_refuse_setting(TSB_CUDA_ARCHS "${archs_FAULT}")
  if(archs_FAULT STREQUAL "")
    z_tsb_cuda_slices_fault(fault ${archs_ARCHS})
    z_tsb_refuse_setting(TSB_CUDA_SLICES "${fault}")
  endif()
  set(${out} "${faults}" PARENT_SCOPE)
endfunction()
