# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_download.cmake")
#[[.rst:
z_tsb_provider_mirror
---------------------

Takes a download out of ``TSB_PLACE``, a folder or an ``http(s)`` address with the layout of the cache. Offline, a
folder is still asked.
#]]

function(z_tsb_provider_mirror out_reason out_from name candidate download file)
  set(reason "")
  file(RELATIVE_PATH below "${TSB_CACHE}" "${file}")
  if(TSB_PLACE MATCHES "^https?://")
    string(REGEX REPLACE "/+$" "" mirror "${TSB_PLACE}")
    set(from "${mirror}/${below}")
    if(TSB_OFFLINE)
      set(reason "${mirror} not asked, offline")
    else()
      z_tsb_download(reason "${from}" "${file}" "${name}")
    endif()
  else()
    string(REGEX REPLACE "^file://" "" mirror "${TSB_PLACE}")
    set(from "${mirror}/${below}")
    if(mirror MATCHES "^([A-Za-z+.-]+)://")
      set(reason "${mirror} is neither a folder nor an address with http, https or file")
    elseif(NOT IS_DIRECTORY "${mirror}")
      set(reason "no folder ${mirror}")
    elseif(NOT EXISTS "${from}")
      set(reason "not in ${mirror}")
    elseif(IS_DIRECTORY "${from}")
      set(reason "${from} is a folder")
    else()
      file(COPY_FILE "${from}" "${file}.part" RESULT error)
      if(NOT error EQUAL 0)
        set(reason "${from} cannot be read: ${error}")
      endif()
    endif()
  endif()
  set(${out_from} "${from}" PARENT_SCOPE)
  set(${out_reason} "${reason}" PARENT_SCOPE)
endfunction()
