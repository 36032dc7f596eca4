# SPDX-License-Identifier: BSD-3-Clause
# The libraries by their SONAMEs, unchanged. Before CUDA 13 each wheel has a folder of its own.
cmake_minimum_required(VERSION 3.25)
file(
  GLOB libraries "${TSB_SOURCE_DIR}/nvidia/*/lib/libcudart.so.*"
  "${TSB_SOURCE_DIR}/nvidia-cuda-cupti*/nvidia/*/lib/libcupti.so.*"
)
list(LENGTH libraries count)
if(NOT count EQUAL 2)
  message(FATAL_ERROR "the wheels of NVIDIA have not one libcudart and one libcupti, but: ${libraries}")
endif()
file(COPY ${libraries} DESTINATION "${TSB_INSTALL_DIR}/lib")
