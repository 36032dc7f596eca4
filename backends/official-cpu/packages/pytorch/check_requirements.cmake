# SPDX-License-Identifier: BSD-3-Clause
# Each package of NVIDIA that the wheel's METADATA requires has a pin, or libraries would be missing on a user's machine
# that nothing here notices: those that others open by name.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../../../cmake/detail/tsb_fail.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../../../cmake/model/tsb_read_record.cmake)
get_filename_component(folder "${TSB_INSTALL_DIR}" DIRECTORY)
tsb_read_record("${folder}/package.json" package)
file(READ "${package_pins}" pins)
file(GLOB metadata "${TSB_SOURCE_DIR}/torch-*.dist-info/METADATA")
file(STRINGS "${metadata}" lines REGEX "^Requires-Dist: nvidia-")
foreach(line IN LISTS lines)
  string(REGEX MATCH "nvidia-[a-z0-9-]*[a-z0-9]" project "${line}")
  string(REGEX REPLACE "-cu[0-9]+$" "" project "${project}")
  string(JSON pin ERROR_VARIABLE absent GET "${pins}" sources ${project})
  if(absent)
    tsb_fail(
      "${metadata} requires ${project}, which is not pinned"
      "name its libraries in backends/cuda/libraries.json, and import the release again (docs/official.md)"
    )
  endif()
endforeach()
