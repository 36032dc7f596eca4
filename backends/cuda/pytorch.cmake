# SPDX-License-Identifier: BSD-3-Clause
# What CUDA adds to both compiles of PyTorch; included by build_settings.cmake.
include_guard(GLOBAL)

set(more_depends cuda-toolkit cudnn nccl)
list(JOIN backend_configured_archs " " cuda_archs) # a ";" would not survive the lists below
set(
  more_environment
  "TORCH_CUDA_ARCH_LIST=${cuda_archs}" CUDA_HOME=@PREFIX_cuda-toolkit@ # what FindCUDA would look for on PATH
  CUDA_PATH=@PREFIX_cuda-toolkit@
)
# PyTorch compresses all device code by itself; where nvcc can do more, it hears of it in upstream's own way.
set(compression ${backend_configured_compression})
list(REMOVE_ITEM compression -Xfatbin -compress-all)
if(compression)
  list(JOIN compression " " compression)
  list(APPEND more_environment "TORCH_NVCC_FLAGS=${compression}")
endif()
set(more_modules CUB nvtx3)
set(more_include "${CMAKE_CURRENT_LIST_DIR}/pytorch_targets.cmake")

set(cusparselt_off "")
if(TSB_CUSPARSELT)
  list(APPEND more_depends cusparselt)
  list(APPEND more_options CUSPARSELT_ROOT=@PREFIX_cusparselt@)
else()
  set(cusparselt_off OFF "cuSPARSELt was not found on this machine" REMEDY "set TSB_CUSPARSELT_HOME: docs/cuda.md")
endif()
# Those that a release may have: in its options.json.
if(TSB_NVSHMEM)
  list(APPEND more_depends nvshmem)
  list(APPEND more_environment NVSHMEM_HOME=@PREFIX_nvshmem@)
  set(feature_NVSHMEM PACKAGES nvshmem)
else()
  set(feature_NVSHMEM OFF "NVSHMEM was not found on this machine" REMEDY "set TSB_NVSHMEM_HOME: docs/cuda.md")
endif()
set(magma_off "")
set(magma_packages "")
if(NOT TSB_MAGMA STREQUAL "OFF")
  list(APPEND more_depends magma)
  list(APPEND more_environment MAGMA_HOME=@PREFIX_magma@)
  set(magma_packages PACKAGES magma)
else()
  set(magma_off OFF "TSB_MAGMA is OFF")
endif()

set(more_memory HEAVY_SOURCES "${release_cuda_heavy_sources}" HEAVY_MEMORY_PER_JOB_MB 5400)

function(z_tsb_declare_backend_features package)
  tsb_declare_feature(
    ${package} MAGMA OPTION USE_MAGMA ${magma_off} ${magma_packages}
    WITHOUT "linear algebra on the GPU uses cuSOLVER alone"
  )
  tsb_declare_feature(${package} CUSPARSELT OPTION USE_CUSPARSELT ${cusparselt_off})
endfunction()
