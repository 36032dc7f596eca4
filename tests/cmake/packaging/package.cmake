# SPDX-License-Identifier: BSD-3-Clause
# make_package(<root> [shared|static] [<host library>]): libtorch's CMake package, version 2.6.0, as staging writes it.
# The build's own export is in TSB_TEST_DIR/install; it names a folder of the build machine, and wants what no consumer
# has. <host library>: the file name of a shared library that static ones need; not inside the package. With the
# variable CUDA it is a package for CUDA 12.4, and libpart is inside, which only libhelp needs.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/cmake/detail/tsb_fail.cmake")
include("${TSB_SOURCE_DIR}/cmake/detail/z_tsb_json.cmake")
include("${TSB_SOURCE_DIR}/packaging/tree/z_tsb_libtorch_cmake_package.cmake")
function(make_package root)
  set(linkage shared)
  if(ARGC GREATER 1)
    set(linkage "${ARGV1}")
  endif()
  set(wanted "")
  if(ARGC GREATER 2)
    set(wanted "{\"name\": \"${ARGV2}\", \"symbol_versions\": []}")
  endif()
  set(inside "{\"name\": \"libhelp.so.1\", \"file\": \"libhelp-01234567.so.1\"}")
  set(linked "")
  set(cuda "")
  if(CUDA)
    string(APPEND inside ", {\"name\": \"libpart.so.1\", \"file\": \"libpart.so.1\"}")
    set(linked ", \"linked\": [\"libc.so.6\", \"libhelp.so.1\", \"libhost.so.7\"]")
    file(READ "${TSB_SOURCE_DIR}/backends/cuda/backend.json" backend)
    string(JSON backend SET "${backend}" folder "\"cuda\"")
    string(JSON backend SET "${backend}" kind "\"cuda\"")
    string(JSON backend SET "${backend}" version "\"12.4\"")
    string(JSON backend SET "${backend}" configured "{\"archs\": [\"9.0\"], \"cmake_archs\": [\"90-real\"]}")
    set(cuda ", \"backend\": ${backend}")
  endif()
  file(WRITE "${TSB_TEST_DIR}/bundle.json" "{\"bundled\": [${inside}], \"host_libraries\": [${wanted}]${linked}}")
  file(
    WRITE "${TSB_TEST_DIR}/install/share/cmake/Caffe2/Caffe2Targets.cmake"
    [[
add_library(torch_cpu SHARED IMPORTED)
set_target_properties(torch_cpu PROPERTIES
  INTERFACE_COMPILE_DEFINITIONS "USE_ONE;USE_TWO=2"
  INTERFACE_INCLUDE_DIRECTORIES "/build/machine/include"
  INTERFACE_LINK_LIBRARIES "protobuf::libprotobuf;/build/machine/lib/libmkl.a"
)
set_target_properties(torch_cuda PROPERTIES
  INTERFACE_COMPILE_DEFINITIONS "USE_THREE"
)
]]
  )
  set(json "{\"linkage\": \"${linkage}\", \"release\": {\"version\": \"2.6.0\", \"cxx_standard\": \"17\"}${cuda}}")
  tsb_set_record(artifact json)
  z_tsb_libtorch_cmake_package("${TSB_TEST_DIR}/install" "${root}" "${TSB_TEST_DIR}/bundle.json")
endfunction()

# run(<good|bad> <command>...): sets `output`.
function(run expected)
  tsb_run(code output ${ARGN})
  tsb_expect("end of ${ARGN}" ENDS "${code}" ${expected})
  set(output "${output}" PARENT_SCOPE)
endfunction()
