# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
download_file.cmake
-------------------

Script: ``cmake -D TSB_URL=<url> -D TSB_FILE=<file> -D TSB_STATUS=<file> -P download_file.cmake``

Downloads an address to ``TSB_FILE`` and prints libcurl's percentages. What is already in ``TSB_FILE`` is the beginning
of an earlier download: the rest is asked for, and when the server cannot do that, everything. A lost connection and a
busy server are asked again, twice. Writes ``<code>;<text>`` to ``TSB_STATUS``: libcurl's code, 0 when the transfer ended
well, 18 when it was cut short. The caller verifies the content.
A process of its own, so that the caller can put a name before each percentage.
#]]
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_transfer.cmake")
z_tsb_transfer_trust()

# download(<file> [RANGE_START <begin>]): sets code, words, log, and again: whether the same may work a little later. 18
# stands for every loss of the connection: over TLS it is 56 or 92, 28 when nothing more comes, 52 when nothing
# came at all.
macro(download file)
  file(
    DOWNLOAD "${TSB_URL}" "${file}"
    STATUS status
    LOG log
    INACTIVITY_TIMEOUT 60
    TLS_VERIFY ON
    SHOW_PROGRESS ${ARGN}
  )
  list(POP_FRONT status code words)
  z_tsb_transfer_again(again "${words}\n${log}")
  z_tsb_transfer_proxy_error(refusal "${TSB_URL}" "${words}\n${log}")
  if(code MATCHES "^(18|28|52|55|56|92)$" AND NOT refusal)
    set(again TRUE)
    set(code 18)
  endif()
endmacro()

# transfer(): once.
macro(transfer)
  set(begin 0)
  set(have 0)
  if(EXISTS "${TSB_FILE}")
    file(SIZE "${TSB_FILE}" have)
  endif()
  if(have GREATER 0)
    file(REMOVE "${TSB_FILE}.rest")
    download("${TSB_FILE}.rest" RANGE_START ${have})
    if(code MATCHES "^(0|18)$" AND log MATCHES "HTTP/[0-9.]+ 206")
      execute_process(
        COMMAND sh -c "cat \"$1\" >>\"$2\"" sh "${TSB_FILE}.rest" "${TSB_FILE}" COMMAND_ERROR_IS_FATAL ANY
      )
      file(REMOVE "${TSB_FILE}.rest")
      set(begin ${have})
    elseif(code EQUAL 0)
      file(RENAME "${TSB_FILE}.rest" "${TSB_FILE}")
    elseif(again)
      # Lost again: before anything came, or by a server that began anew.
      set(rest 0)
      if(EXISTS "${TSB_FILE}.rest")
        file(SIZE "${TSB_FILE}.rest" rest)
      endif()
      if(rest GREATER 0)
        file(RENAME "${TSB_FILE}.rest" "${TSB_FILE}")
      else()
        file(REMOVE "${TSB_FILE}.rest")
      endif()
    else()
      file(REMOVE "${TSB_FILE}.rest" "${TSB_FILE}")
      set(have 0)
    endif()
  endif()
  if(have EQUAL 0)
    download("${TSB_FILE}")
  endif()
endmacro()

foreach(pause IN ITEMS 1 3 0)
  transfer()
  if(code EQUAL 0 OR NOT again OR pause EQUAL 0)
    break()
  endif()
  string(TOLOWER "${log}" lower)
  if(code EQUAL 22 AND lower MATCHES "retry-after: ([0-9]+)")
    set(pause ${CMAKE_MATCH_1})
    if(pause GREATER 60)
      break() # another provider is faster
    endif()
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep ${pause})
endforeach()
set(got 0)
if(EXISTS "${TSB_FILE}")
  file(SIZE "${TSB_FILE}" got)
endif()
if(code EQUAL 18 AND got GREATER 0)
  # What the server promised stands in the log, and in every version of libcurl in the same form.
  set(words "truncated: got ${got} bytes")
  string(TOLOWER "${log}" log)
  string(REGEX MATCHALL "\ncontent-length: [0-9]+" promises "\n${log}")
  if(promises)
    list(POP_BACK promises promise)
    string(REGEX MATCH "[0-9]+" whole "${promise}")
    math(EXPR whole "${begin} + ${whole}")
    set(words "truncated: got ${got} of ${whole} bytes")
  endif()
elseif(NOT code EQUAL 0)
  z_tsb_transfer_error(known "${TSB_URL}" "${words}\n${log}")
  if(known)
    set(words "${known}")
  endif()
endif()
file(WRITE "${TSB_STATUS}" "${code};${words}")
