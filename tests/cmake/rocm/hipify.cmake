# SPDX-License-Identifier: BSD-3-Clause
# PyTorch's tool runs in the tree, and sees no ROCm of the machine; which files are copies of which is written down; a
# tree that it has been run in is refused, and so is one without it.
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
set(tree "${TSB_TEST_DIR}/a tree")
find_program(python python3 REQUIRED)
set(tool "${tree}/tools/amd_build/build_amd.py")
file(COPY "${TSB_SOURCE_DIR}/tests/fixtures/pytorch-stand-in/" DESTINATION "${tree}")

# hipify(): sets status and output.
function(hipify)
  tsb_run(
    status output "${CMAKE_COMMAND}" "-DTSB_SOURCE_DIR=${tree}" "-DTSB_PYTHON=${python}" -P
    "${TSB_SOURCE_DIR}/backends/rocm/pytorch/hipify.cmake"
  )
  return(PROPAGATE status output)
endfunction()

set(ENV{HIP_PATH} "${tree}")
hipify()
tsb_expect("hipify: ${output}" EQUAL "${status}" 0)
file(READ "${tree}/c10/hip/HIPFunctions.h" text)
tsb_expect("a file beside its original" CONTAINS "${text}" "#include <hip/hip_runtime_api.h>")
tsb_expect("a file beside its original" CONTAINS "${text}" "namespace c10::hip")
tsb_expect_file("the original" CONTAINS "${tree}/c10/cuda/CUDAFunctions.h" "#include <cuda_runtime_api.h>")
file(READ "${tree}/.tsb-copies.json" copies)
string(JSON count LENGTH "${copies}")
string(JSON original GET "${copies}" c10/hip/HIPFunctions.h)
tsb_expect("copies, without what is changed in its place" EQUAL "${count} ${original}" "2 c10/cuda/CUDAFunctions.h")
tsb_expect("the machine's ROCm" CONTAINS "${output}" "hipify sees /nonexistent")
file(GLOB_RECURSE compiled "${tree}/*.pyc")
tsb_expect("compiled Python" EQUAL "${compiled}" "")

hipify()
tsb_expect("again" EQUAL "${status}" 1)
tsb_expect("again" CONTAINS "${output}" "PyTorch's source tree is hipified already: it has c10/hip/HIPFunctions.cpp")
tsb_expect("again" CONTAINS "${output}" "give upstream's tree, unchanged")

file(REMOVE_RECURSE "${tree}/c10/hip")
file(WRITE "${tool}" "")
hipify()
tsb_expect("a tool without work" EQUAL "${status}" 1)
tsb_expect("a tool without work" CONTAINS "${output}" "has made no files in c10/hip")
file(WRITE "${tool}" "raise SystemExit(3)\n")
hipify()
tsb_expect("a failing tool" CONTAINS "${output}" "tools/amd_build/build_amd.py ended with 3 see what it wrote above")
