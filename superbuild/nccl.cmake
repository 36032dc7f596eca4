# SPDX-License-Identifier: BSD-3-Clause
# NCCL: collective communication between GPUs. Static, for libtorch as the official packages have it, and shared, for the
# wheels that load it; both from one compile, for the same architectures and by the same compilers as PyTorch. The
# makefile compresses the device code.
if(NOT TSB_CUDA_VERSION)
  return()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/cuda/tsb_cuda_arch_flags.cmake)
tsb_cuda_arch_flags(${TSB_CUDA_ARCHS} GENCODE nccl_gencode)

tsb_declare_package(
  nccl
  DESCRIPTION "Collective communication between GPUs"
  SOURCE nccl
  BUILD_SYSTEM make
  DEPENDS cuda-toolkit
  PROVIDES NCCL nccl # PyTorch and gloo spell it differently
  OPTIONS CUDA_HOME=@PREFIX_cuda-toolkit@ "NVCC_GENCODE=${nccl_gencode}" BUILDDIR=@BUILD_DIR@
  TARGETS src.build
  STAGE_SCRIPTS
    "${CMAKE_CURRENT_LIST_DIR}/nccl/copy_library.cmake"
    "${CMAKE_CURRENT_LIST_DIR}/../packaging/sbom/record_linked.cmake"
  LICENSE_FILES "[LT]*.txt" # LICENSE.txt, and ThirdPartyNotices.txt where there is one
  MEMORY_PER_JOB_MB 900
)
