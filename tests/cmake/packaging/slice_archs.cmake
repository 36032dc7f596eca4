# SPDX-License-Identifier: BSD-3-Clause
# What an artifact is built for that is cut to some GPUs.
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/backends/cuda/hooks/slice.cmake")
include("${TSB_SOURCE_DIR}/cmake/model/tsb_set_record.cmake")
foreach(wanted IN ITEMS "7.5=75-real" "8.6=86-real" "12.0=120-real" "8.0,9.0+PTX=80-real,90-real,90-virtual")
  string(REGEX MATCH "^(.*)=(.*)$" wanted "${wanted}")
  string(REPLACE "," ";" archs "${CMAKE_MATCH_1}")
  string(REPLACE "," ";" expected "${CMAKE_MATCH_2}")
  z_tsb_cuda_slice(configured ${archs})
  tsb_set_record(found configured)
  tsb_expect("architectures" EQUAL "${found_archs}" "${archs}")
  tsb_expect("CMake's" EQUAL "${found_cmake_archs}" "${expected}")
endforeach()
