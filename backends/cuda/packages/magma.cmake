# SPDX-License-Identifier: BSD-3-Clause
# MAGMA: linear algebra on the GPU, for what cuSOLVER does not do or does slower (batched LU, least squares, symmetric
# eigenproblems). Static for both linkages, as in the official packages: it is linked into libtorch_cuda_linalg,
# and a shared one would drag in every routine. For the same architectures and by the same compilers as PyTorch.
#
# It calls BLAS and LAPACK on the CPU for small things. An archive needs none to be made; libtorch's own answers. It
# finds no OpenMP here: MAGMA in the official packages (2.9.1+cu128) says "not compiled with OpenMP" as well.
#
# 2.9.0 is pinned and not 2.6.1, which the official packages have with five patches of PyTorch's own: that does not
# compile with CUDA 12 as it was released, and knows no architecture above 8.0.
#
# With TSB_MAGMA=OFF nothing depends on it: see pytorch.cmake.
include(${CMAKE_CURRENT_LIST_DIR}/magma/prebuilt_magma.cmake)

set(
  magma_package
  magma DESCRIPTION "Linear algebra on the GPU, static" SOURCE magma DEPENDS cuda-toolkit PROVIDES MAGMA INPUTS
  "${CMAKE_CURRENT_LIST_DIR}/magma/check_version.cmake" "${CMAKE_CURRENT_LIST_DIR}/magma/library_version.c"
)
prebuilt_magma(magma_license)
if(magma_license)
  # Somebody's installed MAGMA, in TSB_LOCAL_magma, takes the place of the source.
  list(JOIN backend_configured_archs " " magma_archs)
  tsb_declare_package(
    ${magma_package}
    BUILD_SYSTEM none
    ENVIRONMENT "MAGMA_ARCHS=${magma_archs}" CUDA_HOME=@PREFIX_cuda-toolkit@
    STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/magma/copy_prebuilt.cmake"
    LICENSE_FILES "${magma_license}"
  )
  return()
endif()

# Upstream's GPU_TARGET stays empty: it would overwrite CMAKE_CUDA_ARCHITECTURES, and add PTX for each architecture.
# https://github.com/icl-utk-edu/magma/blob/v2.9.0/CMakeLists.txt
list(JOIN backend_configured_compression " " magma_compression) # as PyTorch's own
tsb_declare_package(
  ${magma_package}
  MODULES CUDAToolkit
  SYSTEM Threads # FindCUDAToolkit asks for it
  OPTIONS
    MAGMA_ENABLE_CUDA=ON USE_FORTRAN=OFF BUILD_SHARED_LIBS=OFF CMAKE_POSITION_INDEPENDENT_CODE=ON
    "CMAKE_CUDA_ARCHITECTURES=${backend_configured_cmake_archs}" "CMAKE_CUDA_FLAGS=${magma_compression}"
    CUDA_OpenCL_LIBRARY= # FindCUDAToolkit looks for it; a distribution's is not the toolkit's
  TARGETS magma # not its sparse part, not its testers
  NO_INSTALL # which wants all of them
  PATCH_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/magma/generate.cmake"
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/magma/copy_library.cmake"
                "${CMAKE_CURRENT_LIST_DIR}/../../../packaging/sbom/record_linked.cmake"
  LICENSE_FILES COPYRIGHT
  MEMORY_PER_JOB_MB 1100 # 2.10.0 with CUDA 13.0 for 9.0: 1,050 MB
)
