# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# The options for the language CUDA: which nvcc, which compiler it hands the host's code to, and the compiler
# cache.
function(z_tsb_cuda_cmake_options out backend settings)
  z_tsb_expand(nvcc "@PREFIX_cuda-toolkit@/bin/nvcc")
  z_tsb_json_get(host_compiler "${backend}" configured host_compiler)
  if(NOT host_compiler)
    z_tsb_json_get(host_compiler "${settings}" CMAKE_CXX_COMPILER)
  endif()
  set(options "-DCMAKE_CUDA_COMPILER=${nvcc}" "-DCMAKE_CUDA_HOST_COMPILER=${host_compiler}")
  z_tsb_json_get(launcher "${settings}" compiler_cache)
  if(launcher)
    list(APPEND options "-DCMAKE_CUDA_COMPILER_LAUNCHER=${launcher}")
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()
