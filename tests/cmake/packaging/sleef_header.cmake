# SPDX-License-Identifier: BSD-3-Clause
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
include("${TSB_SOURCE_DIR}/packaging/tree/z_tsb_sleef_header.cmake")
z_tsb_sleef_header("{\"build_folder\": \"${TSB_TEST_DIR}/a build\"}" "${TSB_TEST_DIR}/a stage/include")
