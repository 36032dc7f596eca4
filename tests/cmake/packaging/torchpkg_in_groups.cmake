# SPDX-License-Identifier: BSD-3-Clause
# torchpkg as the superbuild compiles it: optimised, its sources in groups. The tests' own has each alone.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(build "${TSB_TEST_DIR}/build")
tsb_run(
  status output ${CMAKE_COMMAND} -G Ninja -S "${TSB_SOURCE_DIR}/packaging/torchpkg" -B "${build}" -D TORCHPKG_WERROR=ON
)
tsb_expect_end(0)
tsb_run(status output ${CMAKE_COMMAND} --build "${build}")
tsb_expect_end(0)
tsb_expect("what is compiled" CONTAINS "${output}" "unity_0_cxx.cxx")
tsb_run(status output "${build}/torchpkg" --version)
tsb_expect_end(0 "torchpkg ")
