# SPDX-License-Identifier: BSD-3-Clause
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
z_tsb_libtorch_cmake_package(
  "{\"release\": \"2.6.0\"}" "${TSB_TEST_DIR}/nothing" "${TSB_TEST_DIR}/root" "${TSB_TEST_DIR}/bundle.json"
)
