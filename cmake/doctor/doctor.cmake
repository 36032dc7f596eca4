# SPDX-License-Identifier: BSD-3-Clause
# The doctor alone, before anything is configured:
#
#   cmake -P cmake/doctor/doctor.cmake
#
# With -D TSB_BACKEND=cu124 before -P also what the presets of that backend need.
#
# Exits with 0 when the machine can build; needs no build folder and changes nothing. The needs of disk and memory
# depend on the preset, so they are only shown here.
if(CMAKE_VERSION VERSION_LESS 3.21)
  message(FATAL_ERROR "cmake is ${CMAKE_VERSION}, 3.25 or newer is needed: ./bootstrap.sh installs one")
endif()
cmake_minimum_required(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/tsb_doctor.cmake)

# Asked here, before this script sets such a variable.
get_cmake_property(given VARIABLES)
list(FILTER given INCLUDE REGEX "^TSB_")
list(REMOVE_ITEM given TSB_BACKEND)
math(EXPR last "${CMAKE_ARGC} - 1")
if(given)
  list(JOIN given ", -D " given)
  message(FATAL_ERROR "unknown option: -D ${given}; the doctor takes -D TSB_BACKEND=<backend>")
elseif(NOT CMAKE_ARGV${last} MATCHES "doctor\\.cmake$")
  message(FATAL_ERROR "unknown argument: ${CMAKE_ARGV${last}}; -D TSB_BACKEND=<backend> goes before -P")
endif()
get_filename_component(source ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
set(dist ${source}/dist)
if(NOT "$ENV{TSB_DIST}" STREQUAL "")
  get_filename_component(dist "$ENV{TSB_DIST}" ABSOLUTE BASE_DIR ${source})
endif()
set(options "")
if(TSB_BACKEND)
  include(${CMAKE_CURRENT_LIST_DIR}/../backend/tsb_find_backend.cmake)
  tsb_find_backend(backend "${TSB_BACKEND}")
  if(backend STREQUAL "")
    message(
      FATAL_ERROR
        "  TSB_BACKEND is '${TSB_BACKEND}', which no release here is built for\n  name one of: ${backend_NAMES}"
    )
  endif()
  set(options PYTORCH_VERSION ${backend_RELEASE} BACKEND "${backend}")
endif()
tsb_doctor(
  ${options}
  SOURCE_DIR ${source}
  BUILD_DIR ${source}/build
  WRITABLE ${source}/build ${dist}
  DISK ${source}/build 0 ${dist} 0
  RESULT_ERROR error
)
if(error)
  message(FATAL_ERROR "${error}")
endif()
