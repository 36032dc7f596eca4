# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_download.cmake")
#[[.rst:
z_tsb_provider_upstream
-----------------------

Downloads the archive that the project itself publishes from ``TSB_PLACE``, one of the addresses under ``url``.
#]]

function(z_tsb_provider_upstream out_reason out_from name candidate download file)
  z_tsb_download(reason "${TSB_PLACE}" "${file}" "${name}")
  set(${out_from} "${TSB_PLACE}" PARENT_SCOPE)
  set(${out_reason} "${reason}" PARENT_SCOPE)
endfunction()
