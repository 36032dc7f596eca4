# SPDX-License-Identifier: BSD-3-Clause
# What the official libtorch_cpu.so needs of CUDA from 2.11 on, for its profiler: CUPTI and the runtime.
tsb_declare_package(
  cuda-libraries
  DESCRIPTION "NVIDIA's libraries that the official libtorch_cpu.so needs"
  SOURCE nvidia-cuda-runtime-aarch64
  SOURCES nvidia-cuda-cupti-aarch64
  BUILD_SYSTEM none
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/../../official-cpu/packages/nvidia/copy_from_wheels.cmake"
  LICENSE_FILES LICENSE
)
