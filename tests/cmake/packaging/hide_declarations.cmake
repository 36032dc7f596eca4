# SPDX-License-Identifier: BSD-3-Clause
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
include("${TSB_SOURCE_DIR}/packaging/tree/z_tsb_hide_declarations.cmake")
file(WRITE "${TSB_TEST_DIR}/include/c10/macros/Export.h" "#define C10_EXPORT C10_VISIBLE\n")
z_tsb_hide_declarations("${TSB_TEST_DIR}/include")
