# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_download.cmake")
#[[.rst:
z_tsb_provider_mirror
---------------------

Takes an artefact out of the mirrors, each a folder or an ``http(s)`` address with the layout of the cache.
Offline, folders are still asked.
#]]

function(
  z_tsb_provider_mirror
  out_reason
  out_from
  name
  candidate
  artefact
  file
)
  set(reasons "")
  file(RELATIVE_PATH below "${TSB_CACHE}" "${file}")
  foreach(mirror IN LISTS TSB_MIRRORS)
    if(mirror MATCHES "^https?://")
      string(REGEX REPLACE "/+$" "" mirror "${mirror}")
      set(from "${mirror}/${below}")
      if(TSB_OFFLINE)
        set(reason "${mirror} not asked, offline")
      else()
        z_tsb_download(reason "${from}" "${file}" "${name}")
      endif()
    else()
      string(REGEX REPLACE "^file://" "" mirror "${mirror}")
      set(from "${mirror}/${below}")
      set(reason "")
      if(mirror MATCHES "^([A-Za-z+.-]+)://")
        set(reason "${mirror} is neither a folder nor an address with http, https or file")
      elseif(NOT IS_DIRECTORY "${mirror}")
        set(reason "no folder ${mirror}")
      elseif(NOT EXISTS "${from}")
        set(reason "not in ${mirror}")
      else()
        file(COPY_FILE "${from}" "${file}.part" RESULT error)
        if(NOT error EQUAL 0)
          set(reason "${from} cannot be read: ${error}")
        endif()
      endif()
    endif()
    if(NOT reason)
      set(${out_from} "${from}" PARENT_SCOPE)
      set(${out_reason} "" PARENT_SCOPE)
      return()
    endif()
    list(APPEND reasons "${reason}")
  endforeach()
  list(JOIN reasons ", " reasons)
  set(${out_reason} "${reasons}" PARENT_SCOPE)
endfunction()
