# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
set(Z_TSB_CUDA_TEMPLATES "${CMAKE_CURRENT_LIST_DIR}/../cmake_package")

# Writes Caffe2/public/cuda.cmake, and says what the other files have of it.
function(z_tsb_cuda_cmake_package out export root)
  set(TSB_CUDA_VERSION "${backend_version}")
  set(TSB_CUDA_FOLDER "${artifact_target_cuda_folder}")
  set(TSB_CUDA_ARCHS "${backend_configured_archs}")
  set(TSB_CUDA_CMAKE_ARCHITECTURES "${backend_configured_cmake_archs}")
  string(REGEX MATCH "^[0-9]+" TSB_CUDA_MAJOR "${backend_version}")
  z_tsb_export_definitions(TSB_CUDA_COMPILE_DEFINITIONS "${export}" torch_cuda)
  set(folder "\${TORCH_CUDA_INCLUDE_DIR}/../\${_torch_folder}")
  if(TSB_LINKAGE STREQUAL "static")
    set(TSB_CUDA_LINK_TARGET torch_archives)
    set(TSB_CUDA_LINK_OPTIONS "\"-L${folder}\" \"LINKER:-rpath-link,${folder}\"")
  else()
    set(TSB_CUDA_LINK_TARGET c10_cuda)
    # The package's own first: the toolkit's folder may have an older NCCL.
    set(TSB_CUDA_LINK_OPTIONS "\"LINKER:-rpath-link,\${_torch_prefix}/lib\"")
    if(NOT "${artifact_style}" STREQUAL "small") # whose RPATHs lead to the other wheels, after what is named here
      string(APPEND TSB_CUDA_LINK_OPTIONS " \"LINKER:-rpath-link,${folder}\"")
    endif()
  endif()
  file(READ "${Z_TSB_CUDA_TEMPLATES}/cuda-${TSB_LINKAGE}.cmake.in" TSB_CUDA_LINKAGE_TARGETS)
  string(CONFIGURE "${TSB_CUDA_LINKAGE_TARGETS}" TSB_CUDA_LINKAGE_TARGETS @ONLY)
  configure_file("${Z_TSB_CUDA_TEMPLATES}/cuda.cmake.in" "${root}/share/cmake/Caffe2/public/cuda.cmake" @ONLY)

  set(of_targets "include(\"\${CMAKE_CURRENT_LIST_DIR}/public/cuda.cmake\")\n")
  set(of_components " c10_cuda torch_cuda")
  set(of_libraries "list(APPEND TORCH_LIBRARIES \${TORCH_CUDA_LIBRARIES})\n")
  set(of_pc_libraries "torch_cuda;c10_cuda")
  set(
    of_words
    "# Of CUDA: targets c10_cuda, torch_cuda; TORCH_CUDA_VERSION, TORCH_CUDA_LIBRARIES, TORCH_CUDA_ARCH_LIST (8.0;9.0) and
# TORCH_CUDA_ARCHITECTURES (80-real;90-real), see ../Caffe2/public/cuda.cmake.\n"
  )
  tsb_json_object(texts of_ TEXTS targets components libraries pc_libraries words)
  set(${out} "${texts}" PARENT_SCOPE)
endfunction()
