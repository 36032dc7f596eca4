# SPDX-License-Identifier: BSD-3-Clause
# TSB_TORCHPKG that names nothing.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
copy_tree("${TSB_TEST_DIR}/tree")
workflow("${TSB_TEST_DIR}/tree" ENVIRONMENT TSB_TORCHPKG=nowhere/torchpkg)
bad(
  "no torchpkg" "TSB_TORCHPKG names ${TSB_TEST_DIR}/tree/nowhere/torchpkg, which does not exist"
  "correct it, or unset it: torchpkg is compiled then"
)
