# SPDX-License-Identifier: BSD-3-Clause
# Corrects targets of PyTorch's in builds with CUDA; runs inside PyTorch's project, when all of them are defined.
include_guard(GLOBAL)

# TensorPipe compiles this source into two archives, and libtorch_cuda is linked with both. Alone, the linker takes the
# object of the first; as a part of a unit (unity_groups.cmake) the second one's comes along with its neighbours, and
# everything in it is defined twice.
function(z_tsb_compile_ibv_alone)
  if(TARGET tensorpipe AND TARGET tensorpipe_cuda)
    set(source "${CMAKE_SOURCE_DIR}/third_party/tensorpipe/tensorpipe/common/ibv.cc")
    set_property(SOURCE "${source}" TARGET_DIRECTORY tensorpipe PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# MAGMA calls BLAS and LAPACK, and the archives of a static MKL call each other in circles: named one after the other,
# some of what MAGMA needs stays undefined, and the library cannot be loaded. Linking it does not tell, so the linker is
# asked to, except for what the other libraries of the link have.
function(z_tsb_link_magma_with_blas)
  if(NOT TARGET torch_cuda_linalg OR NOT USE_MAGMA)
    return()
  endif()
  set(archives ${MKL_LIBRARIES})
  list(FILTER archives INCLUDE REGEX "libmkl_[^/]*[.]a$")
  list(REMOVE_DUPLICATES archives)
  if(archives)
    list(JOIN archives "," archives)
    target_link_libraries(torch_cuda_linalg PRIVATE "$<LINK_GROUP:RESCAN,${archives}>")
  endif()
  target_link_options(torch_cuda_linalg PRIVATE LINKER:-z,defs)
endfunction()

# Upstream leaves the toolkit's headers to the compiler's own folders, and c10_cuda's functions to whatever loads it.
function(z_tsb_link_nvshmem_with_c10_cuda)
  if(TARGET torch_nvshmem)
    target_link_libraries(torch_nvshmem PRIVATE c10_cuda)
  endif()
endfunction()

cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL z_tsb_compile_ibv_alone)
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL z_tsb_link_magma_with_blas)
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL z_tsb_link_nvshmem_with_c10_cuda)
