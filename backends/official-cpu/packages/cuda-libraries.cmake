# SPDX-License-Identifier: BSD-3-Clause
# What the official libtorch_cpu.so needs of CUDA, for its profiler: CUPTI and the runtime, out of NVIDIA's wheels.
tsb_declare_package(
  cuda-libraries
  DESCRIPTION "NVIDIA's libraries that the official libtorch_cpu.so needs"
  SOURCE nvidia-cuda-runtime
  SOURCES nvidia-cuda-cupti
  BUILD_SYSTEM none
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/cuda-libraries/copy_from_wheels.cmake"
  LICENSE_FILES LICENSE
)
