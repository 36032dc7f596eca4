# SPDX-License-Identifier: BSD-3-Clause
# The doctor alone, before anything is configured:
#
#   cmake -P cmake/doctor/doctor.cmake
#
# With -D TSB_CUDA_VERSION=12.4 before -P also what the presets of that CUDA need.
#
# Exits with 0 when the machine can build; needs no build folder and changes nothing. The needs of disk and memory depend
# on the preset, so they are only shown here.
if(CMAKE_VERSION VERSION_LESS 3.21)
  message(FATAL_ERROR "cmake is ${CMAKE_VERSION}, 3.25 or newer is needed: ./bootstrap.sh installs one")
endif()
cmake_minimum_required(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_doctor.cmake)

get_filename_component(source ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
set(dist ${source}/dist)
if(NOT "$ENV{TSB_DIST}" STREQUAL "")
  get_filename_component(dist "$ENV{TSB_DIST}" ABSOLUTE BASE_DIR ${source})
endif()
set(cuda "")
if(TSB_CUDA_VERSION)
  include(${CMAKE_CURRENT_LIST_DIR}/../cuda/tsb_cuda_release.cmake)
  tsb_cuda_newest_release(pytorch "${TSB_CUDA_VERSION}")
  if(pytorch STREQUAL "")
    message(FATAL_ERROR "no release of PyTorch here goes with CUDA ${TSB_CUDA_VERSION}")
  endif()
  set(cuda PYTORCH_VERSION ${pytorch} CUDA_VERSION ${TSB_CUDA_VERSION})
endif()
tsb_doctor(
  ${cuda}
  SOURCE_DIR ${source}
  BUILD_DIR ${source}/build
  WRITABLE ${source}/build ${dist}
  DISK ${source}/build 0 ${dist} 0
  RESULT_ERROR error
)
if(error)
  message(FATAL_ERROR "${error}")
endif()
