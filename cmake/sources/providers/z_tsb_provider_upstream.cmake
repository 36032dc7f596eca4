# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_download.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json_get_or.cmake")
#[[.rst:
z_tsb_provider_upstream
-----------------------

Downloads the archive that the project itself publishes: the addresses under ``url``, in order.
#]]

function(
  z_tsb_provider_upstream
  out_reason
  out_from
  name
  candidate
  artefact
  file
)
  z_tsb_json_get_list(urls "${candidate}" url)
  set(reasons "")
  foreach(url IN LISTS urls)
    z_tsb_download(reason "${url}" "${file}" "${name}")
    if(NOT reason)
      set(${out_from} "${url}" PARENT_SCOPE)
      set(${out_reason} "" PARENT_SCOPE)
      return()
    endif()
    list(APPEND reasons "${reason}")
  endforeach()
  list(JOIN reasons ", " reasons)
  set(${out_reason} "${reasons}" PARENT_SCOPE)
endfunction()
