# SPDX-License-Identifier: BSD-3-Clause
# A release with a backend that it is not built for, and one without a folder: refused by the real CMakeLists.txt
# before it looks at the machine.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/tests/fixtures/release.cmake)

# configure(<PyTorch's version> <CUDA's version>): sets output.
function(configure pytorch cuda)
  string(REPLACE "." "" backend "cu${cuda}")
  tsb_run(
    status output ${CMAKE_COMMAND} -E env --unset=TSB_PINS_FILE ${CMAKE_COMMAND} -S ${TSB_SOURCE_DIR} -B
    ${TSB_TEST_DIR}/build -G Ninja -DTSB_PRESET=mine -DTSB_BACKEND=${backend} -DTSB_BLAS=mkl
    -DTSB_ARTIFACTS=libtorch-shared-with-deps -DTSB_PYTORCH_VERSION=${pytorch}
  )
  tsb_expect("status" EQUAL "${status}" 1)
  tsb_expect("no doctor" LACKS "${output}" "This machine")
  set(output "${output}" PARENT_SCOPE)
endfunction()

configure(${pytorch} 12.1)
tsb_expect(
  "unsupported" CONTAINS "${output}" "TSB_BACKEND is 'cu121', and 'cu121' is not among the backends of PyTorch"
  "${pytorch}: take a preset of aarch64, cpu, cu118, cu124, cu126, official-aarch64, official-cpu, official-cuda, rocm6.2, rocm7.2"
)
configure(9.9.0 12.4)
tsb_expect(
  "unknown release" CONTAINS "${output}"
  "is '9.9.0', which has no folder in releases/ (docs/new-release.md adds one): set it to one of "
)

# One more release here, without CUDA.
set(ENV{TSB_ADDITIONS} "${TSB_TEST_DIR}/additions")
file(
  WRITE "${TSB_TEST_DIR}/additions/releases/9.9.0/release.json"
  [[{"cxx_standard": "17", "libtorch_zip": "x", "pythons": [], "backends": {"cpu": {}}}]]
)
configure(9.9.0 12.1)
tsb_expect("none" CONTAINS "${output}" "'cu121' is not among the backends of PyTorch 9.9.0: take a preset of cpu")
