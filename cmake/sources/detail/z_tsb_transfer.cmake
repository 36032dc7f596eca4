# SPDX-License-Identifier: BSD-3-Clause
include_guard()
#[[.rst:
z_tsb_transfer
--------------

What transfers over a network have in common, whether CMake, git or pip makes them.

``z_tsb_transfer_trust()``
  One setting for all three. ``SSL_CERT_FILE``, else ``CURL_CA_BUNDLE``, names the file with the CAs to trust, such as
  that of a company's proxy. ``file(DOWNLOAD)`` of this process takes it; git and pip, when they have no setting of
  their own. Without this, git knows neither where its libcurl uses GnuTLS (Debian), and CMake knows only the first.

``z_tsb_transfer_error(<out> <url> <text>)``
  What went wrong in the words of this project, with a remedy where the user has one; empty when it is not known.
  ``<text>`` is the status and the log of ``file(DOWNLOAD)``, or what git or pip printed: all of them repeat libcurl's
  or Python's words, which differ a little from version to version (tried: libcurl 7.86, 7.88, 8.14 and 8.20, with OpenSSL and GnuTLS).

``z_tsb_transfer_again(<out> <text>)``
  Whether the same request may well succeed a little later: the server is busy, or the connection was lost.
#]]

function(z_tsb_transfer_trust)
  set(file "$ENV{SSL_CERT_FILE}")
  if(file STREQUAL "")
    set(file "$ENV{CURL_CA_BUNDLE}")
  endif()
  if(file STREQUAL "")
    return()
  endif()
  set(CMAKE_TLS_CAINFO "${file}" PARENT_SCOPE)
  if("$ENV{REQUESTS_CA_BUNDLE}" STREQUAL "")
    set(ENV{REQUESTS_CA_BUNDLE} "${file}") # counts less than the settings of pip itself
  endif()
  if("$ENV{GIT_SSL_CAINFO}" STREQUAL "")
    # This variable overrides git's configuration.
    execute_process(
      COMMAND git config --get-regexp "^http\\.(.*\\.)?sslcainfo$" RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET
    )
    if(NOT code EQUAL 0)
      set(ENV{GIT_SSL_CAINFO} "${file}")
    endif()
  endif()
endfunction()

# What a proxy refused, or that there is none.
function(z_tsb_transfer_proxy_error out url text)
  string(REGEX REPLACE "^[a-z]+://([^/]*@)?([^/:]+).*" "\\2" host "${url}")
  set(reason "")
  set(proxy "")
  if(text MATCHES "Uses proxy env variable [A-Za-z_]+ == '([a-z0-9]+://)?([^'@]*@)?([^'/]*)")
    set(proxy "${CMAKE_MATCH_3}")
  endif()
  set(refusal "")
  if(text MATCHES "(Received HTTP code |CONNECT tunnel failed, response )([0-9]+)")
    set(refusal "${CMAKE_MATCH_2}")
  elseif(
    text MATCHES "Establish HTTP proxy tunnel"
    AND NOT text MATCHES "Proxy replied 200|CONNECT tunnel established|CONNECT phase completed"
    AND text MATCHES "returned error: ([0-9]+)"
  )
    set(refusal "${CMAKE_MATCH_1}")
  elseif(text MATCHES "Tunnel connection failed: ([0-9]+)") # pip
    set(refusal "${CMAKE_MATCH_1}")
  endif()
  if(text MATCHES "ould(n't| not) resolve proxy(: ([^\n ]*))?")
    if(proxy STREQUAL "")
      set(proxy "${CMAKE_MATCH_3}")
    endif()
    set(reason "cannot resolve the proxy ${proxy}: correct https_proxy, or unset it")
  elseif(refusal STREQUAL "407")
    set(reason "the proxy asks for a password (HTTP 407): set https_proxy to http://user:password@host:port")
  elseif(NOT refusal STREQUAL "")
    set(reason "the proxy refuses ${host} (HTTP ${refusal})")
  elseif(text MATCHES "(Cannot|Unable to) connect to proxy") # pip
    set(reason "cannot connect to the proxy: correct https_proxy, or unset it")
  elseif(text MATCHES "Failed to connect to ([^ \n]+) port ([0-9]+)( via ([^ \n]+))?")
    set(to "${CMAKE_MATCH_1}")
    set(port "${CMAKE_MATCH_2}")
    set(via "${CMAKE_MATCH_4}")
    if(proxy STREQUAL "" AND NOT via STREQUAL "")
      set(proxy "${via}")
    elseif(proxy STREQUAL "" AND NOT to STREQUAL "${host}")
      set(proxy "${to}:${port}")
    endif()
    if(NOT proxy STREQUAL "")
      set(reason "cannot connect to the proxy ${proxy}: correct https_proxy, or unset it")
    endif()
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

function(z_tsb_transfer_error out url text)
  string(REGEX REPLACE "^[a-z]+://([^/]*@)?([^/:]+).*" "\\2" host "${url}")
  z_tsb_transfer_proxy_error(reason "${url}" "${text}")
  if(reason)
    # done
  elseif(
    text MATCHES
    "error (setting certificate|reading ca cert)|Problem with the SSL CA cert|Could not find a suitable TLS CA"
  )
    set(reason "the file with trusted CAs cannot be read: correct SSL_CERT_FILE (or the variable that you use instead)")
  elseif(text MATCHES "no alternative certificate|does not match target host|doesn't match|Hostname mismatch")
    set(
      reason
      "the certificate that ${host} shows is another host's: correct the address, or ask who runs the server or proxy"
    )
  elseif(
    text
    MATCHES
    "SSL certificate problem|SSL peer certificate|certificate verification failed|server verification failed|CERTIFICATE_VERIFY_FAILED"
  )
    set(reason "the certificate of ${host} is not trusted: set SSL_CERT_FILE to a file with your network's CA")
  elseif(text MATCHES "Could not resolve host: ([^\n ;]+)")
    set(reason "cannot resolve ${CMAKE_MATCH_1}")
  elseif(text MATCHES "ould(n't| not) resolve host")
    set(reason "cannot resolve ${host}")
  elseif(text MATCHES "Failed to connect to")
    set(reason "cannot connect to ${host}")
  elseif(text MATCHES "timed out|too slow")
    set(reason "no answer from ${host} in time")
  elseif(text MATCHES "returned error: ([0-9]+)")
    set(status "${CMAKE_MATCH_1}")
    if(status MATCHES "^40[13]$")
      set(reason "access denied (HTTP ${status})")
    elseif(status EQUAL 429)
      set(reason "too many requests (HTTP 429), try again later")
    elseif(status GREATER_EQUAL 500)
      set(reason "the server has a fault (HTTP ${status}), try again later")
    else()
      set(reason "not there (HTTP ${status})")
    endif()
  elseif(text MATCHES "could not read Username|Authentication failed|[Rr]epository .*not found|Repository not found")
    # What GitHub answers for both.
    set(reason "no such repository, or it is private")
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

function(z_tsb_transfer_again out text)
  set(${out} FALSE PARENT_SCOPE)
  z_tsb_transfer_proxy_error(reason "" "${text}")
  if(
    NOT reason
    AND
      text
      MATCHES
      "returned error: (429|50[0234])|transfer closed|early EOF|hung up|unexpected disconnect|RPC failed|Connection reset|[Rr]ecv (failure|error)|unexpected eof|Empty reply|CONNECT aborted|too slow|timed out"
  )
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()
