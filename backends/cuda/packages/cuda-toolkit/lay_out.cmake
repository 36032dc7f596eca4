# SPDX-License-Identifier: BSD-3-Clause
# Lays the machine's CUDA toolkit out below the install tree, as links. TSB_MACHINE is the toolkit's record.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/tsb_lay_out_cuda_toolkit.cmake)
tsb_lay_out_cuda_toolkit("${TSB_MACHINE}" "${TSB_INSTALL_DIR}")
