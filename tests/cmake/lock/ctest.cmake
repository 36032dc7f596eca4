# SPDX-License-Identifier: BSD-3-Clause
# The ctest that runs this test holds the folder of the tests, or the workflow that runs ctest.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/lock/tsb_lock.cmake)
if(NOT EXISTS /proc/self/stat)
  message("SKIP: there is no /proc here, so nothing is locked")
  return()
endif()
z_tsb_root_process(self)
file(READ "${BUILD_DIR}/.lock.json" json)
string(JSON pid GET "${json}" pid)
tsb_expect("who holds it" EQUAL "${pid}" "${self_PID}")
