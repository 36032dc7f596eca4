# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_export_definitions(<out-var> <content of upstream's export> <target>): its compile definitions.
function(z_tsb_export_definitions out content target)
  set(${out} "" PARENT_SCOPE)
  if(content MATCHES "set_target_properties\\(${target} PROPERTIES\n *INTERFACE_COMPILE_DEFINITIONS \"([^\"]*)\"")
    set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  endif()
endfunction()

# z_tsb_linked_libraries(<out-var of those inside> <out-var of the host's> <bundle report>): the shared libraries that a program is
# linked with when it has the static ones inside: file names in lib/, and SONAMEs.
function(z_tsb_linked_libraries out_inside out_outside report)
  file(READ "${report}" bundle)
  z_tsb_json_get_each(files "${bundle}" bundled file)
  z_tsb_json_get_each(names "${bundle}" bundled name)
  z_tsb_json_get_each(outside "${bundle}" host_libraries name)
  z_tsb_json_get_list(linked "${bundle}" linked)
  set(inside "")
  foreach(name file IN ZIP_LISTS names files)
    if(NOT linked OR name IN_LIST linked)
      list(APPEND inside "${file}")
    endif()
  endforeach()
  set(hosts "")
  foreach(name IN LISTS outside)
    if(NOT linked OR name IN_LIST linked)
      list(APPEND hosts "${name}")
    endif()
  endforeach()
  set(${out_inside} "${inside}" PARENT_SCOPE)
  set(${out_outside} "${hosts}" PARENT_SCOPE)
endfunction()

# z_tsb_archives_in_order(<out-var> <root of the staged tree>): libtorch's static libraries, without lib and .a, in the order in
# which a process loads the shared ones.
function(z_tsb_archives_in_order out root)
  set(archives "")
  foreach(
    library
    IN
    ITEMS c10 torch_cpu c10_cuda torch_cuda torch_cuda_linalg
  )
    if(EXISTS "${root}/lib/lib${library}.a")
      list(APPEND archives ${library})
    endif()
  endforeach()
  set(${out} "${archives}" PARENT_SCOPE)
endfunction()

# z_tsb_libtorch_cmake_package(<artifact json> <pytorch's install tree> <root of the staged tree> <bundle report>)
#
# Writes the CMake package, and torch.pc for pkg-config. Upstream's CMake package demands protobuf of every consumer when it
# was not built inside PyTorch, looks for MKL on the consumer's machine, and names folders of the build machine; ours has
# the same targets and variables and needs nothing but what lies beside it. The compile definitions are read from
# upstream's export, the one place that knows with which features the libraries were compiled; the shared libraries that static ones
# need are in the report of `torchpkg bundle`, and those among them that a program is linked with in its member `linked`, where
# there is one.
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
    set(TSB_PC_ARCHIVES ",-l:libtorch_cpu.a,-l:libc10.a")
    z_tsb_linked_libraries(inside outside "${report}")
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
    set(TSB_CUDA_TORCH_LIBRARIES "\"\${_torch_prefix}/lib/libc10_cuda.so\"")
    set(TSB_CUDA_LINK_TARGET c10_cuda)
    set(folder "\${TORCH_CUDA_INCLUDE_DIR}/../\${_torch_folder}")
    set(TSB_CUDA_LINK_OPTIONS "\"LINKER:-rpath-link,${folder}\"")
    if(TSB_LINKAGE STREQUAL "static")
      set(TSB_CUDA_TORCH_LIBRARIES c10_cuda)
      set(TSB_CUDA_LINK_TARGET torch_archives)
      string(PREPEND TSB_CUDA_LINK_OPTIONS "\"-L${folder}\" ")
      z_tsb_archives_in_order(TSB_ARCHIVES "${root}")
      set(TSB_PC_ARCHIVES "${TSB_ARCHIVES}")
      list(TRANSFORM TSB_PC_ARCHIVES REPLACE "(.+)" ",-l:lib\\1.a")
      list(JOIN TSB_PC_ARCHIVES "" TSB_PC_ARCHIVES)
      list(JOIN TSB_ARCHIVES " " TSB_ARCHIVES)
    endif()
    file(READ "${here}/cmake/cuda-${TSB_LINKAGE}.cmake.in" TSB_CUDA_LINKAGE_TARGETS)
    string(CONFIGURE "${TSB_CUDA_LINKAGE_TARGETS}" TSB_CUDA_LINKAGE_TARGETS @ONLY)
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
