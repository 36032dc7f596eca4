# SPDX-License-Identifier: BSD-3-Clause
# NCCL: collective communication between GPUs. Static, for libtorch as in the official packages, and shared, for
# the wheels that load it; both from one compile, for the same architectures and by the same compilers as PyTorch.
# How code is compressed is one of nvcc's options, too, where it is more than the makefile does by itself.
set(nccl_options ${backend_configured_cmake_archs})
list(TRANSFORM nccl_options REPLACE "^(.+)-real$" "-gencode=arch=compute_\\1,code=sm_\\1")
list(TRANSFORM nccl_options REPLACE "^(.+)-virtual$" "-gencode=arch=compute_\\1,code=compute_\\1")
list(APPEND nccl_options ${backend_configured_compression})
list(REMOVE_ITEM nccl_options -Xfatbin -compress-all)
list(JOIN nccl_options " " nccl_options)
# Kernels for 10.0 alone, which 2.28 and newer compile for it whatever the list says as soon as nvcc can. Without 10.0
# they are compiled for the list, as functions without a body, since the code of the host names them.
set(nccl_kernels "")
if(backend_version VERSION_GREATER_EQUAL 12.7 AND NOT backend_configured_archs MATCHES "(^|;)10[.]0")
  set(nccl_kernels "NVCC_GENCODE_LDMC_FP8=${nccl_options}")
endif()

tsb_declare_package(
  nccl
  DESCRIPTION "Collective communication between GPUs"
  SOURCE nccl
  BUILD_SYSTEM make
  DEPENDS cuda-toolkit
  PROVIDES NCCL nccl # PyTorch and gloo spell it differently
  OPTIONS CUDA_HOME=@PREFIX_cuda-toolkit@ "NVCC_GENCODE=${nccl_options}" ${nccl_kernels} BUILDDIR=@BUILD_DIR@
  # In place of a kernel that it does not compile it takes an empty file, and tells nvcc no architecture: that would be
  # code for 5.2, nvcc's default. What is named twice is compiled once.
  ENVIRONMENT "NVCC_PREPEND_FLAGS=${nccl_options}"
  TARGETS src.build
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/nccl/copy_library.cmake"
  LICENSE_FILES "[LT]*.txt" # LICENSE.txt, and ThirdPartyNotices.txt where there is one
  MEMORY_PER_JOB_MB 900
)
