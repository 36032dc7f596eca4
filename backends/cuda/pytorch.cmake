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

# What makes features of the release depend on this machine and on settings: tsb_declare_release_features().
if(TSB_CUSPARSELT)
  list(APPEND more_depends cusparselt)
  list(APPEND more_options CUSPARSELT_ROOT=@PREFIX_cusparselt@)
else()
  set(feature_CUSPARSELT OFF "cuSPARSELt was not found on this machine" REMEDY "set TSB_CUSPARSELT_HOME: docs/cuda.md")
endif()
if(TSB_NVSHMEM)
  list(APPEND more_depends nvshmem)
  list(APPEND more_environment NVSHMEM_HOME=@PREFIX_nvshmem@)
else()
  set(feature_NVSHMEM OFF "NVSHMEM was not found on this machine" REMEDY "set TSB_NVSHMEM_HOME: docs/cuda.md")
endif()
set(feature_MAGMA SETTING TSB_MAGMA WITHOUT "linear algebra on the GPU uses cuSOLVER alone")
if(NOT TSB_MAGMA STREQUAL "OFF")
  list(APPEND more_depends magma)
  list(APPEND more_environment MAGMA_HOME=@PREFIX_magma@)
  list(APPEND feature_MAGMA PACKAGES magma)
else()
  list(APPEND feature_MAGMA OFF "TSB_MAGMA is OFF")
endif()

set(more_memory HEAVY_SOURCES "${release_cuda_heavy_sources}" HEAVY_MEMORY_PER_JOB_MB 5400)
