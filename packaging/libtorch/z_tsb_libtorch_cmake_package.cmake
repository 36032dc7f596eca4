# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

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
  set(TSB_COMPILE_DEFINITIONS "")
  if(content MATCHES "set_target_properties\\(torch_cpu PROPERTIES\n *INTERFACE_COMPILE_DEFINITIONS \"([^\"]*)\"")
    set(TSB_COMPILE_DEFINITIONS "${CMAKE_MATCH_1}")
  endif()
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
