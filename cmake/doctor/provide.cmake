# SPDX-License-Identifier: BSD-3-Clause
# Brings what a backend needs and no distribution has, where it is not on this machine: runs the check that its
# backend.json names as `provides`. For bootstrap.sh:
#
#   cmake -D TSB_BACKEND=cu130 -P cmake/doctor/provide.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_doctor.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../settings/tsb_settings.cmake)
tsb_read_settings(RESULT_ERROR faults)
tsb_settings(more)
if(faults OR more)
  message(FATAL_ERROR "${faults}${more}")
endif()
tsb_doctor(CHECKS ${backend_provides} RESULT_ERROR error)
if(error)
  message(FATAL_ERROR "${error}")
endif()
