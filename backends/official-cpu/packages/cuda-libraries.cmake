# SPDX-License-Identifier: BSD-3-Clause
# What the official libtorch_cpu.so needs of CUDA, for its profiler: CUPTI and the runtime.
include("${CMAKE_CURRENT_LIST_DIR}/nvidia/z_tsb_declare_nvidia_package.cmake")
z_tsb_declare_nvidia_package(cuda-libraries)
