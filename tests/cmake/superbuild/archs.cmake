# SPDX-License-Identifier: BSD-3-Clause
# TSB_CUDA_ARCHS in the words of nvcc and of CMake.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/cmake/cuda/tsb_cuda_arch_flags.cmake")
if(DEFINED ARCHS)
  tsb_cuda_arch_flags(${ARCHS} GENCODE gencode)
  return()
endif()

tsb_cuda_arch_flags(9.0 GENCODE gencode CMAKE_ARCHITECTURES architectures LOWEST lowest)
tsb_expect("one, for nvcc" EQUAL "${gencode}" "-gencode=arch=compute_90,code=sm_90")
tsb_expect("one, for CMake" EQUAL "${architectures}" "90-real")
tsb_expect("the lowest" EQUAL "${lowest}" 90)

tsb_cuda_arch_flags(10.0 7.5 9.0a 12.0+PTX GENCODE gencode CMAKE_ARCHITECTURES architectures LOWEST lowest)
string(
  JOIN " "
  expected
  -gencode=arch=compute_100,code=sm_100
  -gencode=arch=compute_75,code=sm_75
  -gencode=arch=compute_90a,code=sm_90a
  -gencode=arch=compute_120,code=sm_120
  -gencode=arch=compute_120,code=compute_120
)
tsb_expect("several, for nvcc" EQUAL "${gencode}" "${expected}")
tsb_expect("several, for CMake" EQUAL "${architectures}" "100-real;75-real;90a-real;120")
tsb_expect("the lowest" EQUAL "${lowest}" 75)
