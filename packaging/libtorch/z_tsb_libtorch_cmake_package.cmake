# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_libtorch_cmake_package(<artifact json> <pytorch's install tree> <root of the staged tree>)
#
# Writes the CMake package, and torch.pc for pkg-config. Upstream's CMake package demands protobuf of every consumer when it
# was not built inside PyTorch, looks for MKL on the consumer's machine, and names folders of the build machine; ours has
# the same targets and variables and needs nothing but what lies beside it. The compile definitions are read from
# upstream's export, the one place that knows with which features the libraries were compiled.
function(z_tsb_libtorch_cmake_package artifact install root)
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
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/pkgconfig/torch.pc.in" "${root}/lib/pkgconfig/torch.pc" @ONLY)
  set(templates "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/cmake")
  foreach(
    file
    IN
    ITEMS
      Torch/TorchConfig.cmake
      Torch/TorchConfigVersion.cmake
      Caffe2/Caffe2Config.cmake
      Caffe2/Caffe2Targets.cmake
      ATen/ATenConfig.cmake
  )
    get_filename_component(name "${file}" NAME)
    configure_file("${templates}/${name}.in" "${root}/share/cmake/${file}" @ONLY)
  endforeach()
endfunction()
