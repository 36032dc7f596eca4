# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/detail/z_tsb_json.cmake)

# What the member `configured` of the backend has instead, for an artifact that is cut to some GPUs. Errors: one that no
# code of the backend runs on; PTX that is not compiled. A GPU runs code of its own major version and of no higher minor
# one, and compiles PTX of any lower one. Whether the libraries of a prebuilt backend have PTX is known when they are
# there.
function(z_tsb_cuda_slice out)
  set(cmake_archs "")
  foreach(arch IN LISTS ARGN)
    string(REGEX REPLACE "\\+PTX$" "" gpu "${arch}")
    string(REGEX MATCH "^[0-9]+" major "${gpu}")
    set(served OFF)
    foreach(one IN LISTS backend_configured_archs)
      string(REGEX MATCH "^([0-9]+)\\.[0-9]" number "${one}")
      if(number VERSION_LESS_EQUAL gpu AND (CMAKE_MATCH_1 EQUAL major OR one MATCHES "\\+PTX$"))
        set(served ON)
      endif()
    endforeach()
    if(NOT served)
      list(JOIN backend_configured_archs " " built)
      message(
        FATAL_ERROR
          "  TSB_CUDA_SLICES has ${gpu}, and ${TSB_PRESET} is made for ${built}: a GPU ${gpu} runs none of that\n"
          "  take it out, or build for it: TSB_CUDA_ARCHS (docs/cuda.md)"
      )
    endif()
    if(arch MATCHES "PTX$" AND NOT "${backend_configured_archs}" MATCHES "PTX" AND NOT backend_prebuilt)
      list(JOIN backend_configured_archs " " built)
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
  set(changed "{}")
  z_tsb_json_set_array(changed archs ${ARGN})
  z_tsb_json_set_array(changed cmake_archs ${cmake_archs})
  set(${out} "${changed}" PARENT_SCOPE)
endfunction()
