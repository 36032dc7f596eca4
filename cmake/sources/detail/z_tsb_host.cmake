# SPDX-License-Identifier: BSD-3-Clause
include_guard()
#[[.rst:
z_tsb_host
----------

What could not be reached once is not asked again in the same run, so that a machine without a network loses seconds.
The marks are files in ``${run}/unreachable``; the workers of a run share them.

``z_tsb_unreachable_get(<out reason> <key>)`` / ``z_tsb_unreachable_set(<key> <reason>)``
  The mark of a host or a provider.

``z_tsb_host_reachable(<out reason> <url>)``
  Asks the host of an ``http(s)`` address for its first page, once in a run; an empty reason when it answers, whatever
  it answers. A ``file`` address and a path need no host.
#]]

function(z_tsb_unreachable_get out key)
  string(MAKE_C_IDENTIFIER "${key}" id)
  set(reason "")
  if(EXISTS "${TSB_RUN}/unreachable/${id}")
    file(READ "${TSB_RUN}/unreachable/${id}" reason)
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

function(z_tsb_unreachable_set key reason)
  string(MAKE_C_IDENTIFIER "${key}" id)
  file(MAKE_DIRECTORY "${TSB_RUN}/unreachable")
  file(WRITE "${TSB_RUN}/unreachable/${id}" "${reason}")
endfunction()

# libcurl's own words are long; the number says it.
function(z_tsb_download_error out code text url)
  string(REGEX REPLACE "^[a-z]+://([^/]*@)?([^/:]+).*" "\\2" host "${url}")
  if(code EQUAL 6)
    set(reason "cannot resolve ${host}")
  elseif(code EQUAL 5)
    set(reason "cannot resolve the proxy")
  elseif(code EQUAL 7)
    set(reason "cannot connect to ${host}")
  elseif(code EQUAL 28)
    set(reason "no answer from ${host} in time")
  else()
    string(TOLOWER "${text}" text)
    set(reason "${text} (${host})")
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

function(z_tsb_host_reachable out url)
  set(${out} "" PARENT_SCOPE)
  if(NOT url MATCHES "^https?://[^/]+")
    return()
  endif()
  set(base "${CMAKE_MATCH_0}")
  string(MAKE_C_IDENTIFIER "${base}" id)
  file(MAKE_DIRECTORY "${TSB_RUN}/hosts")
  file(LOCK "${TSB_RUN}/hosts/${id}.lock" GUARD FUNCTION)
  if(NOT EXISTS "${TSB_RUN}/hosts/${id}")
    file(DOWNLOAD "${base}/" STATUS status LOG log TIMEOUT 10 TLS_VERIFY ON)
    list(POP_FRONT status code)
    set(answer "")
    # Any answer will do. A slow first page is an answer too: then bytes did arrive.
    if(code MATCHES "^(5|6|7|35|51|58|59|60|77)$" OR (code EQUAL 28 AND NOT log MATCHES "with [1-9][0-9]* "))
      z_tsb_download_error(answer "${code}" "${status}" "${url}")
    endif()
    file(WRITE "${TSB_RUN}/hosts/${id}" "${answer}")
  endif()
  file(READ "${TSB_RUN}/hosts/${id}" answer)
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()
