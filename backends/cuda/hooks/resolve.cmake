# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/tsb_cuda_archs.cmake)

# `archs` are TSB_CUDA_ARCHS, else those of the official packages. `compression` are options of nvcc: without
# -compress-all only PTX is compressed. -compress-mode=size is for an nvcc that knows it (12.8), where each driver can
# load the result: from CUDA 13.0 on, or when TSB_CUDA_LOWEST_DRIVER is that of CUDA 12.4 or newer. Older ones know only
# what is now called speed (https://github.com/pytorch/pytorch/pull/157791 and 161316).
function(z_tsb_cuda_resolve out)
  set(archs ${TSB_CUDA_ARCHS})
  if(NOT archs)
    set(archs ${release_backends_cuda_${backend_version}_archs})
  endif()
  tsb_cuda_archs(of_ ${archs})
  set(of_compression -Xfatbin -compress-all)
  if(
    backend_version VERSION_GREATER_EQUAL 13 OR (backend_version VERSION_GREATER_EQUAL 12.8
                                                 AND TSB_CUDA_LOWEST_DRIVER VERSION_GREATER_EQUAL 550.54.14)
  )
    list(APPEND of_compression -compress-mode=size)
  endif()
  tsb_json_object(resolved of_ LISTS archs cmake_archs compression)
  set(${out} "${resolved}" PARENT_SCOPE)
endfunction()
