# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_export_definitions(<out-var> <content of upstream's export> <target>): its compile definitions.
function(z_tsb_export_definitions out content target)
  set(${out} "" PARENT_SCOPE)
  if(content MATCHES "set_target_properties\\(${target} PROPERTIES\n *INTERFACE_COMPILE_DEFINITIONS \"([^\"]*)\"")
    set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  endif()
endfunction()

# z_tsb_libtorch_cmake_package(<artifact json> <pytorch's install tree> <root of the staged tree> <bundle report>)
#
# Writes the CMake package, and torch.pc for pkg-config. Upstream's CMake package demands protobuf of every consumer when it
# was not built inside PyTorch, looks for MKL on the consumer's machine, and names folders of the build machine; ours has
# the same targets and variables and needs nothing but what lies beside it. The compile definitions are read from
# upstream's export, the one place that knows with which features the libraries were compiled; the shared libraries that static ones
# need are in the report of `torchpkg bundle`.
function(z_tsb_libtorch_cmake_package artifact install root report)
  set(export "${install}/share/cmake/Caffe2/Caffe2Targets.cmake")
  if(NOT EXISTS "${export}")
    tsb_fail("PyTorch's install tree has no ${export}" "see the log of PyTorch's stage phase")
  endif()
  file(READ "${export}" content)
  z_tsb_export_definitions(TSB_COMPILE_DEFINITIONS "${content}" torch_cpu)
  z_tsb_json_get(version "${artifact}" version)
  string(REGEX REPLACE "\\+.*" "" TSB_VERSION "${version}")
  set(TSB_COMPILE_FLAGS "")
  foreach(definition IN LISTS TSB_COMPILE_DEFINITIONS)
    string(APPEND TSB_COMPILE_FLAGS " -D${definition}")
  endforeach()
  z_tsb_json_get(TSB_LINKAGE "${artifact}" linkage)
  if(TSB_LINKAGE STREQUAL "static")
    set(TSB_TORCH_LIBRARIES torch)
    set(TSB_TORCH_LIBRARY libtorch_cpu.a)
    file(READ "${report}" bundle)
    z_tsb_json_get_each(inside "${bundle}" bundled file)
    z_tsb_json_get_each(outside "${bundle}" host_libraries name)
    set(TSB_HOST_LIBRARIES "")
    set(TSB_HOST_FLAGS "")
    foreach(library IN LISTS inside)
      string(APPEND TSB_HOST_LIBRARIES " \"\${_torch_prefix}/lib/${library}\"")
    endforeach()
    foreach(library IN LISTS outside)
      string(APPEND TSB_HOST_LIBRARIES " -l:${library}")
    endforeach()
    string(STRIP "${TSB_HOST_LIBRARIES}" TSB_HOST_LIBRARIES)
    foreach(library IN LISTS inside outside)
      string(APPEND TSB_HOST_FLAGS " -l:${library}")
    endforeach()
  else()
    set(TSB_TORCH_LIBRARIES "torch torch_library \"\${TORCH_INSTALL_PREFIX}/lib/libc10.so\"")
    set(TSB_TORCH_LIBRARY libtorch.so)
    set(TSB_SONAME_SUFFIX "")
    z_tsb_json_get(soname_version "${artifact}" soname_version)
    if(soname_version)
      set(TSB_SONAME_SUFFIX ".${soname_version}")
    endif()
  endif()
  set(here "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  set(TSB_CUDA_TARGETS "")
  set(TSB_CUDA_COMPONENTS "")
  set(TSB_CUDA_LIBRARIES "")
  set(TSB_CUDA_WORDS "")
  set(TSB_CUDA_PC_LIBRARIES "")
  z_tsb_json_get(TSB_CUDA_VERSION "${artifact}" cuda_version)
  if(TSB_CUDA_VERSION)
    z_tsb_json_get(TSB_CUDA_ARCHS "${artifact}" cuda_archs)
    z_tsb_json_get(TSB_CUDA_CMAKE_ARCHITECTURES "${artifact}" cuda_cmake_archs)
    string(REGEX MATCH "^[0-9]+" TSB_CUDA_MAJOR "${TSB_CUDA_VERSION}")
    z_tsb_export_definitions(TSB_CUDA_COMPILE_DEFINITIONS "${content}" torch_cuda)
    set(TSB_CUDA_TARGETS "include(\"\${CMAKE_CURRENT_LIST_DIR}/public/cuda.cmake\")\n")
    set(TSB_CUDA_PC_LIBRARIES ",-ltorch_cuda,-lc10_cuda")
    set(TSB_CUDA_COMPONENTS " c10_cuda torch_cuda")
    set(TSB_CUDA_LIBRARIES "list(APPEND TORCH_LIBRARIES \${TORCH_CUDA_LIBRARIES})\n")
    set(
      TSB_CUDA_WORDS
      "# Of CUDA: targets c10_cuda, torch_cuda; TORCH_CUDA_VERSION, TORCH_CUDA_LIBRARIES, TORCH_CUDA_ARCH_LIST (8.0;9.0) and
# TORCH_CUDA_ARCHITECTURES (80-real;90-real), see ../Caffe2/public/cuda.cmake.\n"
    )
    configure_file("${here}/cmake/cuda.cmake.in" "${root}/share/cmake/Caffe2/public/cuda.cmake" @ONLY)
  endif()
  configure_file("${here}/pkgconfig/torch-${TSB_LINKAGE}.pc.in" "${root}/lib/pkgconfig/torch.pc" @ONLY)
  configure_file(
    "${here}/cmake/Caffe2Targets-${TSB_LINKAGE}.cmake.in"
    "${root}/share/cmake/Caffe2/Caffe2Targets.cmake"
    @ONLY
  )
  foreach(
    file
    IN
    ITEMS Torch/TorchConfig.cmake Torch/TorchConfigVersion.cmake Caffe2/Caffe2Config.cmake ATen/ATenConfig.cmake
  )
    get_filename_component(name "${file}" NAME)
    configure_file("${here}/cmake/${name}.in" "${root}/share/cmake/${file}" @ONLY)
  endforeach()
endfunction()
