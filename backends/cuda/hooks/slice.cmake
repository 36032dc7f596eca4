# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/detail/z_tsb_json.cmake)

# The member `configured` of the backend for an artifact that is cut to some GPUs. Errors: one that no code of the
# backend runs on; PTX that is not compiled. A GPU runs code of its own major version and of no higher minor one, and
# compiles PTX of any lower one. Whether the libraries of a prebuilt backend have PTX is known when they are there.
function(z_tsb_cuda_slice out backend)
  z_tsb_json_get_list(built "${backend}" configured archs)
  z_tsb_json_get(prebuilt "${backend}" prebuilt)
  set(cmake_archs "")
  foreach(arch IN LISTS ARGN)
    string(REGEX REPLACE "\\+PTX$" "" gpu "${arch}")
    string(REGEX MATCH "^[0-9]+" major "${gpu}")
    set(served OFF)
    foreach(one IN LISTS built)
      string(REGEX MATCH "^([0-9]+)\\.[0-9]" number "${one}")
      if(number VERSION_LESS_EQUAL gpu AND (CMAKE_MATCH_1 EQUAL major OR one MATCHES "\\+PTX$"))
        set(served ON)
      endif()
    endforeach()
    if(NOT served)
      list(JOIN built " " built)
      message(
        FATAL_ERROR
          "  TSB_CUDA_SLICES has ${gpu}, and ${TSB_PRESET} is made for ${built}: a GPU ${gpu} runs none of that\n"
          "  take it out, or build for it: TSB_CUDA_ARCHS (docs/cuda.md)"
      )
    endif()
    if(arch MATCHES "PTX$" AND NOT "${built}" MATCHES "PTX" AND NOT prebuilt)
      list(JOIN built " " built)
      message(
        FATAL_ERROR "  TSB_CUDA_SLICES has ${arch}, and ${TSB_PRESET} is made for ${built}, without PTX\n"
                    "  write ${gpu}, or build PTX as well: TSB_CUDA_ARCHS (docs/cuda.md)"
      )
    endif()
    string(REPLACE "." "" digits "${gpu}")
    list(APPEND cmake_archs ${digits}-real)
    if(arch MATCHES "PTX$")
      list(APPEND cmake_archs ${digits}-virtual)
    endif()
  endforeach()
  string(JSON configured GET "${backend}" configured)
  z_tsb_json_set_array(configured archs ${ARGN})
  z_tsb_json_set_array(configured cmake_archs ${cmake_archs})
  set(${out} "${configured}" PARENT_SCOPE)
endfunction()
