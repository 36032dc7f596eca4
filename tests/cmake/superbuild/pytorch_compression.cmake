# SPDX-License-Identifier: BSD-3-Clause
# What PyTorch's compile gets for the compression of device code. Where it is what PyTorch does by itself, it gets
# nothing: another environment would be another fingerprint, and all would be compiled again.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(print "${TSB_TEST_DIR}/print.cmake")
file(
  WRITE "${print}" "include(\"${TSB_SOURCE_DIR}/cmake/detail/z_tsb_json.cmake\")
include(\"${TSB_SOURCE_DIR}/backends/cuda/pytorch.cmake\")\nmessage(STATUS \"[\${more_environment}]\")\n"
)

# told(<flags> <expected>)
function(told flags expected)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -D TSB_MAGMA=OFF "-Dbackend_configured_archs=8.0;9.0"
            "-Dbackend_configured_compression=${flags}" -P "${print}" OUTPUT_VARIABLE environment
                                                                                      COMMAND_ERROR_IS_FATAL ANY
  )
  set(always "TORCH_CUDA_ARCH_LIST=8.0 9.0;CUDA_HOME=@PREFIX_cuda-toolkit@;CUDA_PATH=@PREFIX_cuda-toolkit@")
  tsb_expect("${flags}" CONTAINS "${environment}" "[${always}${expected}]")
endfunction()
told("-Xfatbin;-compress-all" "")
told("-Xfatbin;-compress-all;-compress-mode=size" ";TORCH_NVCC_FLAGS=-compress-mode=size")
