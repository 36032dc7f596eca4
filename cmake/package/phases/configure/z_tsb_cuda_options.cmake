# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_cuda_options(<out-var> <settings json> <packages>): the options for the language CUDA, when
# cuda-toolkit is among the packages: which nvcc, which compiler it hands the host's code to, and the compiler cache.
function(z_tsb_cuda_options out settings packages)
  set(options "")
  if("cuda-toolkit" IN_LIST packages)
    z_tsb_expand(nvcc "@PREFIX_cuda-toolkit@/bin/nvcc")
    list(APPEND options "-DCMAKE_CUDA_COMPILER=${nvcc}")
    z_tsb_json_get(host_compiler "${settings}" TSB_CUDA_HOST_COMPILER)
    if(NOT host_compiler)
      z_tsb_json_get(host_compiler "${settings}" CMAKE_CXX_COMPILER)
    endif()
    list(APPEND options "-DCMAKE_CUDA_HOST_COMPILER=${host_compiler}")
    z_tsb_json_get(launcher "${settings}" compiler_cache)
    if(launcher)
      list(APPEND options "-DCMAKE_CUDA_COMPILER_LAUNCHER=${launcher}")
    endif()
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()
