# SPDX-License-Identifier: BSD-3-Clause
# Lays the machine's CUDA toolkit out below the install tree, as links.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/cuda/tsb_lay_out_cuda_toolkit.cmake)
file(READ "${TSB_MACHINE}" toolkit)
tsb_lay_out_cuda_toolkit("${toolkit}" "${TSB_INSTALL_DIR}")
