# SPDX-License-Identifier: BSD-3-Clause
# What CUDA adds to both compiles of PyTorch; included by build_settings.cmake. They hold for 2.6.0, as all there.
include_guard(GLOBAL)

set(cuda_depends cuda-toolkit cudnn nccl)
set(
  cuda_options
  USE_CUDA=ON
  CUDA_TOOLKIT_ROOT_DIR=@PREFIX_cuda-toolkit@
  CUDAToolkit_ROOT=@PREFIX_cuda-toolkit@
  # PyTorch's own FindCUDA and FindCUDAToolkit look for the driver's library before the toolkit's stub, and find a
  # distribution's. It uses neither of the last two.
  CUDA_CUDA_LIBRARY=@PREFIX_cuda-toolkit@/lib64/stubs/libcuda.so
  CUDA_cuda_driver_LIBRARY=@PREFIX_cuda-toolkit@/lib64/stubs/libcuda.so
  CUDA_nvml_LIBRARY=
  CUDA_OpenCL_LIBRARY=
  # PyTorch names the shared one; CMake would add the static one, and a process would have two.
  CMAKE_CUDA_RUNTIME_LIBRARY=None
  USE_CUDNN=ON
  CUDNN_ROOT=@PREFIX_cudnn@
  USE_NCCL=ON
  USE_SYSTEM_NCCL=ON
  NCCL_ROOT=@PREFIX_nccl@
  NCCL_INCLUDE_DIR=@PREFIX_nccl@/include
  NCCL_LIB_DIR=@PREFIX_nccl@/lib
  USE_CUFILE=OFF # as the official builds; https://github.com/pytorch/builder/issues/1924
  USE_CUDSS=OFF # as the official builds
  # PyTorch opens libnvrtc.so.<major> first, then libnvrtc-<this>.so.<major>. Artifacts keep the first name. Not given, it
  # is a hash that 2.6.0 computes wrongly: Python::Interpreter in a COMMAND of execute_process() is no program.
  CUDA_NVRTC_SHORTHASH=none
)
list(JOIN TSB_CUDA_ARCHS " " cuda_archs) # a ";" would not survive the lists below
set(
  cuda_environment
  "TORCH_CUDA_ARCH_LIST=${cuda_archs}" CUDA_HOME=@PREFIX_cuda-toolkit@ # what FindCUDA would look for on PATH
  CUDA_PATH=@PREFIX_cuda-toolkit@
)
# PyTorch compresses all device code by itself; where nvcc can do more, it hears of it in upstream's own way.
set(compression ${TSB_CUDA_COMPRESSION})
list(REMOVE_ITEM compression -Xfatbin -compress-all)
if(compression)
  list(JOIN compression " " compression)
  list(APPEND cuda_environment "TORCH_NVCC_FLAGS=${compression}")
endif()
set(cuda_modules CUB nvtx3)
set(cuda_include "${CMAKE_CURRENT_LIST_DIR}/cuda_targets.cmake")

set(cusparselt_off "")
if(TSB_CUSPARSELT)
  list(APPEND cuda_depends cusparselt)
  list(APPEND cuda_options CUSPARSELT_ROOT=@PREFIX_cusparselt@)
else()
  set(cusparselt_off OFF "cuSPARSELt was not found on this machine")
endif()
set(magma_off "")
set(magma_packages "")
if(TSB_MAGMA)
  list(APPEND cuda_depends magma)
  list(APPEND cuda_environment MAGMA_HOME=@PREFIX_magma@)
  set(magma_packages PACKAGES magma)
else()
  set(magma_off OFF "TSB_MAGMA is OFF")
endif()

# Measured, for one architecture: 53 of 344 compiles of CUDA take more than 2.5 GB, up to 5.4 GB for the gradients of flash
# attention; nvcc compiles for one architecture after the other, so that more of them take longer and not more.
set(cuda_memory HEAVY_SOURCES "flash_attn/kernels/|/(RowwiseScaledMM|AsyncMM)[.]cu" HEAVY_MEMORY_PER_JOB_MB 5400)

function(z_tsb_declare_cuda_features package)
  tsb_declare_feature(
    ${package} MAGMA OPTION USE_MAGMA ${magma_off} ${magma_packages}
    WITHOUT "linear algebra on the GPU uses cuSOLVER alone"
  )
  tsb_declare_feature(${package} CUSPARSELT OPTION USE_CUSPARSELT ${cusparselt_off})
  tsb_declare_feature(${package} FLASH_ATTENTION OPTION USE_FLASH_ATTENTION)
  tsb_declare_feature(${package} MEM_EFF_ATTENTION OPTION USE_MEM_EFF_ATTENTION)
endfunction()
