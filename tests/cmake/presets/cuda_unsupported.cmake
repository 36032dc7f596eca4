# SPDX-License-Identifier: BSD-3-Clause
# A release with a CUDA that upstream does not support with it, and one without a folder: refused by the real CMakeLists.txt
# before it looks at the machine.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)

# configure(<PyTorch's version> <CUDA's version>): sets output.
function(configure pytorch cuda)
  string(REPLACE "." "" backend "cu${cuda}")
  execute_process(
    COMMAND
      ${CMAKE_COMMAND} -E env --unset=TSB_PINS_FILE ${CMAKE_COMMAND} -S ${TSB_SOURCE_DIR} -B ${TSB_TEST_DIR}/build -G
      Ninja -DTSB_PRESET=mine -DTSB_BACKEND=${backend} -DTSB_BLAS=mkl -DTSB_ARTIFACTS=libtorch-shared-with-deps
      -DTSB_PYTORCH_VERSION=${pytorch} -DTSB_CUDA_VERSION=${cuda}
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  message("${output}")
  tsb_expect("status" EQUAL "${status}" 1)
  tsb_expect("no doctor" LACKS "${output}" "This machine")
  set(output "${output}" PARENT_SCOPE)
endfunction()

configure(2.6.0 12.1)
tsb_expect(
  "unsupported" CONTAINS "${output}"
  "PyTorch 2.6.0 with CUDA 12.1: upstream supports this release with CUDA 11.8, 12.4 and 12.6 only"
)
tsb_expect("unsupported" CONTAINS "${output}" "no release here goes with CUDA 12.1; take a preset of another CUDA")
configure(9.9.0 12.4)
tsb_expect("unknown release" CONTAINS "${output}" "PyTorch 9.9.0 has no folder in releases/")
tsb_expect("unknown release" CONTAINS "${output}" "there are: 2.6.0; take a preset of one of these")

# One more release here, without CUDA, and one that goes with 12.1.
set(ENV{TSB_ADDITIONS} "${TSB_TEST_DIR}/additions")
file(WRITE "${TSB_TEST_DIR}/additions/releases/9.9.0/release.json" [[{"backends": {"cpu": {}}}]])
file(
  WRITE "${TSB_TEST_DIR}/additions/releases/9.10.0/release.json"
  [[{"backends": {"cuda": {"12.1": {"archs": ["9.0"]}}}}]]
)
configure(9.9.0 12.1)
tsb_expect("none" CONTAINS "${output}" "PyTorch 9.9.0 with CUDA 12.1: upstream does not build this release with CUDA")
tsb_expect("none" CONTAINS "${output}" "CUDA 12.1 goes with PyTorch 9.10.0; take one of these")
