# SPDX-License-Identifier: BSD-3-Clause
# The doctor alone, before anything is configured:
#
#   ./bootstrap.sh doctor [<preset>] [<setting>=<value>]...
#   cmake [-D TSB_BACKEND=cu124] -P cmake/doctor/doctor.cmake
#
# With a preset, or a backend, also what that needs.
#
# Exits with 0 when the machine can build; needs no build folder and changes nothing. The needs of disk and memory
# depend on the preset, so they are only shown here.
if(CMAKE_VERSION VERSION_LESS 3.21)
  message(FATAL_ERROR "cmake is ${CMAKE_VERSION}, 3.25 or newer is needed: ./bootstrap.sh installs one")
endif()
cmake_minimum_required(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_doctor.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../jobs/tsb_job_pools.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../settings/tsb_settings.cmake)

math(EXPR last "${CMAKE_ARGC} - 1")
if(NOT CMAKE_ARGV${last} MATCHES "doctor\\.cmake$")
  message(FATAL_ERROR "unknown argument: ${CMAKE_ARGV${last}}; -D TSB_BACKEND=<backend> goes before -P")
endif()
get_filename_component(source ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
tsb_read_settings(RESULT_ERROR faults)
tsb_settings(more)
if(faults OR more)
  message(FATAL_ERROR "${faults}${more}")
endif()
tsb_doctor(
  SOURCE_DIR ${source} BUILD_DIR ${source}/build
  WRITABLE ${source}/build ${TSB_DIST}
  DISK ${source}/build 0 ${TSB_DIST} 0
  RESULT_ERROR error
)
if(error)
  message(FATAL_ERROR "${error}")
endif()
tsb_job_pools(MEMORY_PER_JOB_MB 1800 RESULT_JOBS jobs) # as a compile of PyTorch takes
message(STATUS "ready; compilers at once: ${jobs}")
