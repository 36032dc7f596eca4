# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# The options for the language CUDA: which nvcc, which compiler it hands the host's code to, and the compiler
# cache.
function(z_tsb_cuda_cmake_options out)
  z_tsb_expand(nvcc "@PREFIX_cuda-toolkit@/bin/nvcc")
  set(host_compiler "${backend_configured_host_compiler}")
  if(NOT host_compiler)
    set(host_compiler "${settings_CMAKE_CXX_COMPILER}")
  endif()
  set(options "-DCMAKE_CUDA_COMPILER=${nvcc}" "-DCMAKE_CUDA_HOST_COMPILER=${host_compiler}")
  if(settings_compiler_cache)
    list(APPEND options "-DCMAKE_CUDA_COMPILER_LAUNCHER=${settings_compiler_cache}")
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()
