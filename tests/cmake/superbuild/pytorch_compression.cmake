# SPDX-License-Identifier: BSD-3-Clause
# What PyTorch's compile gets for the compression of device code, for each CUDA. Where it is what PyTorch does by
# itself, it gets nothing: another environment would be another fingerprint, and all would be compiled again.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include("${TSB_SOURCE_DIR}/backends/cuda/cmake/tsb_cuda_compression.cmake")

set(print "${TSB_TEST_DIR}/print.cmake")
file(
  WRITE "${print}" "include(\"${TSB_SOURCE_DIR}/cmake/detail/z_tsb_json.cmake\")
include(\"${TSB_SOURCE_DIR}/backends/cuda/pytorch.cmake\")\nmessage(STATUS \"[\${more_environment}]\")\n"
)

# told(<CUDA> [<lowest driver>]): sets `environment`.
function(told cuda)
  tsb_cuda_compression(flags mode ${cuda} ${ARGN})
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -D TSB_MAGMA=OFF -D TSB_CUDA_ARCHS=9.0 "-DTSB_CUDA_COMPRESSION=${flags}" -P "${print}"
    OUTPUT_VARIABLE environment COMMAND_ERROR_IS_FATAL ANY
  )
  set(environment "${environment}" PARENT_SCOPE)
endfunction()

set(always "[TORCH_CUDA_ARCH_LIST=9.0;CUDA_HOME=@PREFIX_cuda-toolkit@;CUDA_PATH=@PREFIX_cuda-toolkit@")
told(12.4)
tsb_expect("12.4" CONTAINS "${environment}" "${always}]")
told(12.8)
tsb_expect("12.8" CONTAINS "${environment}" "${always}]")
told(12.8 550.54.14)
tsb_expect("12.8 for newer drivers" CONTAINS "${environment}" "${always};TORCH_NVCC_FLAGS=-compress-mode=size]")
told(13.0)
tsb_expect("13.0" CONTAINS "${environment}" "${always};TORCH_NVCC_FLAGS=-compress-mode=size]")
