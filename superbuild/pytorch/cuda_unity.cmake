# SPDX-License-Identifier: BSD-3-Clause
# TensorPipe compiles this source into two archives, and libtorch_cuda is linked with both. Alone, the linker takes the
# object of the first; as a part of a unit (unity_groups.cmake) the second one's comes along with its neighbours, and
# everything in it is defined twice.
include_guard(GLOBAL)

function(z_tsb_compile_ibv_alone)
  if(TARGET tensorpipe AND TARGET tensorpipe_cuda)
    set(source "${CMAKE_SOURCE_DIR}/third_party/tensorpipe/tensorpipe/common/ibv.cc")
    set_property(SOURCE "${source}" TARGET_DIRECTORY tensorpipe PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL z_tsb_compile_ibv_alone)
