# SPDX-License-Identifier: BSD-3-Clause
# The doctor alone, before anything is configured:
#
#   ./bootstrap.sh doctor [<preset>] [<setting>=<value>]...
#   cmake [-D TSB_BACKEND=cu124 [-D TSB_ARTIFACTS=libtorch-shared-with-deps]] -P cmake/doctor/doctor.cmake
#
# With a preset, or a backend, also what that needs; disk and memory are only shown where nobody says what is made.
#
# Exits with 0 when the machine can build; needs no build folder and changes nothing.
if(CMAKE_VERSION VERSION_LESS 3.21)
  message(FATAL_ERROR "cmake is ${CMAKE_VERSION}, 3.25 or newer is needed: ./bootstrap.sh installs one")
endif()
cmake_minimum_required(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_doctor_build.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../artifact/tsb_choose_artifacts.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../jobs/tsb_job_pools.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../settings/tsb_settings.cmake)

math(EXPR last "${CMAKE_ARGC} - 1")
if(NOT CMAKE_ARGV${last} MATCHES "doctor\\.cmake$")
  message(FATAL_ERROR "unknown argument: ${CMAKE_ARGV${last}}; -D TSB_BACKEND=<backend> goes before -P")
endif()
get_filename_component(source ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
get_filename_component(build "$CACHE{CMAKE_BINARY_DIR}" ABSOLUTE BASE_DIR "${source}/build") # of the preset
tsb_read_settings(RESULT_ERROR faults)
tsb_settings(more)
set(artifacts "")
if(TSB_ARTIFACTS AND backend_kind AND NOT TSB_PACKAGES)
  tsb_choose_artifacts(artifacts)
endif()
if(faults OR more OR artifacts_ERROR)
  message(FATAL_ERROR "${faults}${more}${artifacts_ERROR}")
endif()
if(artifacts OR TSB_PACKAGES)
  set(CMAKE_SOURCE_DIR "${source}")
  set(CMAKE_BINARY_DIR "${build}")
  tsb_doctor_build(error ${artifacts_ROWS})
else()
  tsb_doctor(
    SOURCE_DIR ${source} BUILD_DIR ${build}
    WRITABLE ${build} ${TSB_DIST}
    DISK ${build} 0 ${TSB_DIST} 0
    RESULT_ERROR error
  )
endif()
if(error)
  message(FATAL_ERROR "${error}")
endif()
if("pytorch-develop" IN_LIST TSB_PACKAGES AND TSB_CODEGEN_PYTHON)
  tsb_run_python(sources.checkout "${TSB_LOCAL_pytorch}" "${TSB_CODEGEN_PYTHON}")
endif()
tsb_job_pools(MEMORY_PER_JOB_MB 1800 RESULT_JOBS jobs) # as a compile of PyTorch takes
message(STATUS "ready; compilers at once: ${jobs}")
