# SPDX-License-Identifier: BSD-3-Clause
# The libraries, unchanged. Before CUDA 13 each wheel has a folder of its own; older ones of cuSPARSELt lie outside of
# nvidia/.
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE libraries "${TSB_SOURCE_DIR}/*.so" "${TSB_SOURCE_DIR}/*.so.*")
if(NOT libraries)
  message(FATAL_ERROR "there is no library in the wheel of NVIDIA in ${TSB_SOURCE_DIR}")
endif()
file(COPY ${libraries} DESTINATION "${TSB_INSTALL_DIR}/lib")
