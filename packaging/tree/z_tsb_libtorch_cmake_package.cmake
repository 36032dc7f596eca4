# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/backend/tsb_ask_backend.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_cxx11_abi.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_pkg_config.cmake)

# z_tsb_export_definitions(<out-var> <content of upstream's export> <target>): its compile definitions.
function(z_tsb_export_definitions out content target)
  set(${out} "" PARENT_SCOPE)
  if(content MATCHES "set_target_properties\\(${target} PROPERTIES\n *INTERFACE_COMPILE_DEFINITIONS \"([^\"]*)\"")
    set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  endif()
endfunction()

# z_tsb_linked_libraries(<out-var of those inside> <out-var of the host's> <bundle report>): the shared libraries that a
# program is linked with when it has the static ones inside: file names in lib/, and SONAMEs.
function(z_tsb_linked_libraries out_inside out_outside report)
  tsb_read_record("${report}" bundle)
  set(inside "")
  set(outside "")
  foreach(library IN LISTS bundle_bundled)
    if(NOT bundle_linked OR "${bundle_bundled_${library}_name}" IN_LIST bundle_linked)
      list(APPEND inside "${bundle_bundled_${library}_file}")
    endif()
  endforeach()
  foreach(library IN LISTS bundle_host_libraries)
    if(NOT bundle_linked OR "${bundle_host_libraries_${library}_name}" IN_LIST bundle_linked)
      list(APPEND outside "${bundle_host_libraries_${library}_name}")
    endif()
  endforeach()
  set(${out_inside} "${inside}" PARENT_SCOPE)
  set(${out_outside} "${outside}" PARENT_SCOPE)
endfunction()

# z_tsb_backend_archives(<out-var> <root of the staged tree>): libtorch's static libraries, without lib and .a, in the
# order in which a process loads the shared ones; empty where the backend has none.
function(z_tsb_backend_archives out root)
  set(archives "")
  foreach(library IN LISTS artifact_backend_libraries)
    if(EXISTS "${root}/lib/lib${library}.a")
      list(APPEND archives ${library})
    endif()
  endforeach()
  if(archives)
    list(PREPEND archives c10 torch_cpu)
  endif()
  set(${out} "${archives}" PARENT_SCOPE)
endfunction()

# z_tsb_libtorch_cmake_package(<pytorch's install tree> <root of the staged tree> <bundle report>)
#
# Writes the CMake package, and torch.pc for pkg-config. Upstream's CMake package demands protobuf of every consumer
# when it was not built inside PyTorch, looks for MKL on the consumer's machine, and names folders of the build machine;
# ours has the same targets and variables and needs nothing but what lies beside it. The compile definitions are read
# from upstream's export, the one place that knows with which features the libraries were compiled; the shared libraries
# that static ones need are in the report of z_tsb_bundle, and those among them that a program is linked with in
# its member `linked`, where there is one.
function(z_tsb_libtorch_cmake_package install root report)
  set(export "${install}/share/cmake/Caffe2/Caffe2Targets.cmake")
  if(NOT EXISTS "${export}")
    tsb_fail("PyTorch's install tree has no ${export}" "see the log of PyTorch's stage phase")
  endif()
  file(READ "${export}" content)
  set(TSB_VERSION "${artifact_release_version}")
  set(TSB_CXX_STANDARD "${artifact_release_cxx_standard}")
  set(TSB_LINKAGE "${artifact_linkage}")
  z_tsb_export_definitions(TSB_COMPILE_DEFINITIONS "${content}" torch_cpu)
  z_tsb_cxx11_abi(TSB_CXX11_ABI "${install}")
  set(TSB_COMPILE_FLAGS "")
  foreach(definition IN LISTS TSB_COMPILE_DEFINITIONS)
    string(APPEND TSB_COMPILE_FLAGS " -D${definition}")
  endforeach()
  z_tsb_backend_archives(archives "${root}")
  list(JOIN archives " " TSB_ARCHIVES)
  set(TSB_HOST_LIBRARIES "")
  set(inside "")
  set(outside "")
  if(artifact_linkage STREQUAL "static")
    set(TSB_TORCH_LIBRARIES torch)
    set(TSB_TORCH_LIBRARY libtorch_cpu.a)
    z_tsb_linked_libraries(inside outside "${report}")
    foreach(library IN LISTS inside)
      string(APPEND TSB_HOST_LIBRARIES " \"\${_torch_prefix}/lib/${library}\"")
    endforeach()
    foreach(library IN LISTS outside)
      string(APPEND TSB_HOST_LIBRARIES " -l:${library}")
    endforeach()
    string(STRIP "${TSB_HOST_LIBRARIES}" TSB_HOST_LIBRARIES)
  else()
    set(TSB_TORCH_LIBRARIES "torch torch_library c10")
    set(TSB_TORCH_LIBRARY libtorch.so)
    set(TSB_SONAME_SUFFIX "")
    if(artifact_soname_version)
      set(TSB_SONAME_SUFFIX ".${artifact_soname_version}")
    endif()
  endif()
  set(here "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  # Its own templates see the variables that are set here.
  tsb_ask_backend(of_backend artifact_backend cmake_package "${content}" "${root}")
  tsb_set_record(of_backend of_backend)
  foreach(text IN ITEMS targets components libraries words pc_libraries)
    string(TOUPPER ${text} name)
    set(TSB_BACKEND_${name} "${of_backend_${text}}")
  endforeach()
  z_tsb_libtorch_pkg_config(
    "${root}" ${artifact_linkage} "${archives}" "${TSB_BACKEND_PC_LIBRARIES}" ${inside} ${outside}
  )
  configure_file(
    "${here}/cmake/Caffe2Targets-${artifact_linkage}.cmake.in" "${root}/share/cmake/Caffe2/Caffe2Targets.cmake" @ONLY
  )
  foreach(
    file IN ITEMS Torch/TorchConfig.cmake Torch/TorchConfigVersion.cmake Caffe2/Caffe2Config.cmake
                  ATen/ATenConfig.cmake
  )
    get_filename_component(name "${file}" NAME)
    configure_file("${here}/cmake/${name}.in" "${root}/share/cmake/${file}" @ONLY)
  endforeach()
endfunction()
