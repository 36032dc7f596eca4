# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
download_file.cmake
-------------------

Script: ``cmake -D TSB_URL=<url> -D TSB_FILE=<file> -D TSB_STATUS=<file> -P download_file.cmake``

Downloads an address to ``TSB_FILE`` and prints libcurl's percentages. What is already in ``TSB_FILE`` is the beginning
of an earlier download: the rest is asked for, and when the server cannot do that, everything. Writes ``<code>;<text>``
to ``TSB_STATUS``: code 0 when the transfer ended well, 18 when it was cut short. The caller verifies the content.
A process of its own, so that the caller can put a name before each percentage.
#]]
cmake_minimum_required(VERSION 3.25)

set(begin 0)
set(have 0)
if(EXISTS "${TSB_FILE}")
  file(SIZE "${TSB_FILE}" have)
endif()
if(have GREATER 0)
  file(REMOVE "${TSB_FILE}.rest")
  file(
    DOWNLOAD "${TSB_URL}"
    "${TSB_FILE}.rest"
    STATUS status
    LOG log
    RANGE_START ${have}
    INACTIVITY_TIMEOUT 60
    TLS_VERIFY ON
    SHOW_PROGRESS
  )
  list(GET status 0 code)
  if(code MATCHES "^(0|18)$" AND log MATCHES "HTTP/[0-9.]+ 206")
    execute_process(
      COMMAND sh -c "cat \"$1\" >>\"$2\"" sh "${TSB_FILE}.rest" "${TSB_FILE}"
      COMMAND_ERROR_IS_FATAL ANY
    )
    file(REMOVE "${TSB_FILE}.rest")
    set(begin ${have})
  elseif(code EQUAL 0)
    file(RENAME "${TSB_FILE}.rest" "${TSB_FILE}")
  else()
    file(REMOVE "${TSB_FILE}.rest" "${TSB_FILE}")
    set(have 0)
  endif()
endif()
if(have EQUAL 0)
  file(DOWNLOAD "${TSB_URL}" "${TSB_FILE}" STATUS status LOG log INACTIVITY_TIMEOUT 60 TLS_VERIFY ON SHOW_PROGRESS)
endif()
list(GET status 0 code)
if(code EQUAL 18)
  # What the server promised stands in the log, and in every version of libcurl in the same form.
  file(SIZE "${TSB_FILE}" got)
  set(status "18;truncated: got ${got} bytes")
  string(TOLOWER "${log}" log)
  string(REGEX MATCHALL "\ncontent-length: [0-9]+" promises "\n${log}")
  if(promises)
    list(POP_BACK promises promise)
    string(REGEX MATCH "[0-9]+" whole "${promise}")
    math(EXPR whole "${begin} + ${whole}")
    set(status "18;truncated: got ${got} of ${whole} bytes")
  endif()
elseif(code EQUAL 22 AND log MATCHES "returned error: ([0-9]+)")
  set(status "22;not there (HTTP ${CMAKE_MATCH_1})")
endif()
file(WRITE "${TSB_STATUS}" "${status}")
