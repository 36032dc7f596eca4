# SPDX-License-Identifier: BSD-3-Clause
# Installs what was built of MAGMA: the archive and the headers, of which one is written by its CMake.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/check_version.cmake)
file(COPY "${TSB_BUILD_DIR}/lib/libmagma.a" DESTINATION "${TSB_INSTALL_DIR}/lib")
file(GLOB headers "${TSB_SOURCE_DIR}/include/*.h" "${TSB_BUILD_DIR}/include/*.h")
file(COPY ${headers} DESTINATION "${TSB_INSTALL_DIR}/include")
check_version(
  version "${TSB_INSTALL_DIR}/lib/libmagma.a"
  "build package magma in an empty folder: remove packages/magma of the build folder"
)
