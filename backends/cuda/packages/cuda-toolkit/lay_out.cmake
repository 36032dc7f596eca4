# SPDX-License-Identifier: BSD-3-Clause
# Lays the machine's CUDA toolkit out below the install tree, as links. TSB_MACHINE is the toolkit's object with the
# member host_compiler.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/tsb_lay_out_cuda_toolkit.cmake)
file(READ "${TSB_MACHINE}" toolkit)
tsb_set_record(toolkit toolkit)
tsb_lay_out_cuda_toolkit("${toolkit}" "${TSB_INSTALL_DIR}" "${toolkit_host_compiler}")
