# SPDX-License-Identifier: BSD-3-Clause
# sleef.h goes to the headers of an artifact.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
include("${TSB_SOURCE_DIR}/packaging/tree/z_tsb_sleef_header.cmake")
set(header packages/sleef/install/include/sleef.h)
if(NOT ABSENT)
  file(WRITE "${TSB_TEST_DIR}/a build/${header}" "sleef's")
endif()
z_tsb_sleef_header("{\"build_folder\": \"${TSB_TEST_DIR}/a build\"}" "${TSB_TEST_DIR}/a stage/include")
tsb_expect_file("sleef.h" EQUAL "${TSB_TEST_DIR}/a stage/include/sleef.h" "sleef's")
