# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_host.cmake")
#[[.rst:
z_tsb_download
--------------

``z_tsb_download(<out reason> <url> <file> <label>)`` downloads ``<url>`` to ``<file>.part``; an empty reason when the
transfer ended well. The content is not verified here. ``<label>`` is put before each tenth of the way.
#]]
set(Z_TSB_DOWNLOAD_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/../download_file.cmake")

function(z_tsb_download out url file label)
  z_tsb_host_reachable(reason "${url}")
  if(reason)
    set(${out} "${reason}" PARENT_SCOPE)
    return()
  endif()
  file(REMOVE "${file}.status")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" "-DTSB_URL=${url}" "-DTSB_FILE=${file}.part" "-DTSB_STATUS=${file}.status" -P
            "${Z_TSB_DOWNLOAD_SCRIPT}"
    COMMAND sed -u -n "s|^-- \\[download \\([0-9]*0\\)% complete\\].*|  ${label}: \\1 %|p"
    ERROR_VARIABLE error
  )
  set(status "1;the download ended without a result: ${error}")
  if(EXISTS "${file}.status")
    file(READ "${file}.status" status)
    file(REMOVE "${file}.status")
  endif()
  list(POP_FRONT status code)
  set(reason "")
  if(code MATCHES "^(18|22)$")
    set(reason "${status}, from ${url}")
  elseif(NOT code EQUAL 0)
    set(reason "${status}")
  endif()
  if(reason AND NOT code EQUAL 18)
    file(REMOVE "${file}.part")
  endif()
  if(code EQUAL 18)
    message(NOTICE "fetch: ${label}: ${reason}")
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()
