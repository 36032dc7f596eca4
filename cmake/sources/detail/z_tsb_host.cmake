# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_transfer.cmake")
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

``z_tsb_host_reachable_by_git(<out reason> <url of a repository>)``
  The same, asked by git, which may know other ways there.
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

# z_tsb_host_once(<out> <key> <function> <url>): what the function says about the address, asked once in a run for a key.
function(z_tsb_host_once out key function url)
  string(MAKE_C_IDENTIFIER "${key}" id)
  file(MAKE_DIRECTORY "${TSB_RUN}/hosts")
  file(LOCK "${TSB_RUN}/hosts/${id}.lock" GUARD FUNCTION)
  if(NOT EXISTS "${TSB_RUN}/hosts/${id}")
    cmake_language(CALL ${function} answer "${url}")
    file(WRITE "${TSB_RUN}/hosts/${id}" "${answer}")
  endif()
  file(READ "${TSB_RUN}/hosts/${id}" answer)
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()

# Any answer will do. A slow first page is an answer too: then bytes did arrive.
function(z_tsb_host_ask out url)
  file(
    DOWNLOAD "${url}" STATUS
    status LOG
    log TIMEOUT
    10
    TLS_VERIFY ON
  )
  list(POP_FRONT status code words)
  z_tsb_transfer_proxy_error(answer "${url}" "${words}\n${log}")
  if(NOT answer)
    if(code MATCHES "^(5|6|7|35|51|58|59|60|77)$" OR (code EQUAL 28 AND NOT log MATCHES "with [1-9][0-9]* "))
      z_tsb_transfer_error(answer "${url}" "${words}\n${log}")
      if(NOT answer)
        string(TOLOWER "${words} (${url})" answer)
      endif()
    endif()
  endif()
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()

function(z_tsb_host_reachable out url)
  set(answer "")
  if(url MATCHES "^https?://[^/]+")
    z_tsb_host_once(answer "${CMAKE_MATCH_0}" z_tsb_host_ask "${CMAKE_MATCH_0}/")
  endif()
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()

# git decides for itself: it may have a proxy, CAs and other addresses (insteadOf) of its own.
function(z_tsb_host_ask_git out url)
  set(answer "")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=false LC_ALL=C git ls-remote --quiet "${url}"
            HEAD
    RESULT_VARIABLE code
    OUTPUT_QUIET
    ERROR_VARIABLE error
    TIMEOUT 60
  )
  if(NOT code EQUAL 0)
    if(NOT code MATCHES "^[0-9]+$")
      set(error "timed out")
    endif()
    if(error MATCHES "resolve|Failed to connect|ertificate|(CA|ca) cert|proxy|CONNECT tunnel|from proxy|timed out")
      z_tsb_transfer_error(answer "${url}" "${error}")
    endif()
  endif()
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()

function(z_tsb_host_reachable_by_git out url)
  set(answer "")
  execute_process(COMMAND git ls-remote --get-url "${url}" OUTPUT_VARIABLE real ERROR_QUIET)
  if(real MATCHES "^https?://[^/\n]+")
    z_tsb_host_once(answer "git ${CMAKE_MATCH_0}" z_tsb_host_ask_git "${url}")
  endif()
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()
