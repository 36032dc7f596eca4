# SPDX-License-Identifier: BSD-3-Clause
include("${CMAKE_CURRENT_LIST_DIR}/superbuild.cmake")
set(dist "${TSB_TEST_DIR}/dist")
configure(${ARTIFACT})
message("${output}")
if(NOT code EQUAL 0)
  message(FATAL_ERROR "failed as it should")
endif()
