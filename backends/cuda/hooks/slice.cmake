# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/model/tsb_json_object.cmake)

# What the member `configured` of the backend has instead, for an artifact that is cut to some GPUs.
function(z_tsb_cuda_slice out)
  set(of_archs ${ARGN})
  set(of_cmake_archs "")
  foreach(arch IN LISTS ARGN)
    string(REGEX REPLACE "\\+PTX$" "" gpu "${arch}")
    string(REPLACE "." "" digits "${gpu}")
    list(APPEND of_cmake_archs ${digits}-real)
    if(arch MATCHES "PTX$")
      list(APPEND of_cmake_archs ${digits}-virtual)
    endif()
  endforeach()
  tsb_json_object(changed of_ LISTS archs cmake_archs)
  set(${out} "${changed}" PARENT_SCOPE)
endfunction()
