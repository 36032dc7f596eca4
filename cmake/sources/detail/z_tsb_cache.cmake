# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_git.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_json_get_or.cmake")
#[[.rst:
z_tsb_cache
-----------

The source cache is a folder of plain files, ``<cache>/<source>/<version>/<filename>``, so it serves as a mirror as it
is. Beside a file stands ``<filename>.ok``, which says what was verified and the file's size and time at that moment; a
file that did not change since is not hashed again. Nor is a git pack with another time, as a copied cache has it, unpacked
again when it still has the SHA-256 that it had then: that takes a second instead of half a minute. The ``.ok`` file is a
memory of this cache only: a file that comes out of a mirror is always verified.

``z_tsb_cache_has(<out> <out reason> <file> <download>)``
  Whether ``<file>`` is there and verified. A file that is there but wrong is moved aside to ``<file>.wrong``, both
  hashes are shown and are in ``<out reason>``.

``z_tsb_cache_accept(<out> <out reason> <file> <download> <provider> <from>)``
  Verifies ``<file>.part`` and gives it its final name. A wrong file is removed.

A ``<download>`` is ``{"sha256": …, "size": …}`` for an archive, ``{"commit": …, "complete": …}`` for a git pack, with
``complete`` as in the pins.
#]]

function(z_tsb_size_text out bytes)
  if(bytes LESS 1000000)
    math(EXPR value "(${bytes} + 999) / 1000")
    set(${out} "${value} kB" PARENT_SCOPE)
  else()
    math(EXPR tenths "(${bytes} + 50000) / 100000")
    math(EXPR whole "${tenths} / 10")
    math(EXPR rest "${tenths} % 10")
    set(${out} "${whole}.${rest} MB" PARENT_SCOPE)
  endif()
endfunction()

# The reason why a file's content is not what is pinned, or an empty string.
function(z_tsb_cache_verify out file download from)
  z_tsb_json_get_or(commit "${download}" "" commit)
  if(commit)
    z_tsb_json_get_or(complete "${download}" OFF complete)
    z_tsb_git_pack_verify(reason "${file}" "${commit}" "${complete}")
    if(reason)
      set(reason "not the commit ${commit}: ${reason}, from ${from}")
    endif()
  else()
    z_tsb_json_get_or(expected "${download}" "" sha256)
    z_tsb_json_get_or(size "${download}" 0 size)
    file(SIZE "${file}" actual_size)
    file(SHA256 "${file}" actual)
    set(reason "")
    if(NOT actual STREQUAL expected)
      if(actual_size LESS size)
        set(reason "truncated: got ${actual_size} of ${size} bytes, from ${from}")
      else()
        set(reason "wrong sha256: expected ${expected}, got ${actual}, from ${from}")
      endif()
    endif()
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

function(z_tsb_cache_remember file download provider)
  file(SIZE "${file}" size)
  file(TIMESTAMP "${file}" time "%s" UTC)
  z_tsb_json_quote(provider "${provider}")
  string(JSON record SET "{}" download "${download}")
  string(JSON record SET "${record}" size ${size})
  string(JSON record SET "${record}" time ${time})
  string(JSON record SET "${record}" provider "${provider}")
  z_tsb_json_get_or(commit "${download}" "" commit)
  if(commit)
    file(SHA256 "${file}" sha256)
    z_tsb_json_set_string(record sha256 "${sha256}")
  endif()
  file(WRITE "${file}.ok.new" "${record}\n")
  file(RENAME "${file}.ok.new" "${file}.ok")
endfunction()

function(z_tsb_cache_has out out_reason file download)
  set(${out} FALSE PARENT_SCOPE)
  set(${out_reason} "" PARENT_SCOPE)
  if(NOT EXISTS "${file}")
    return()
  endif()
  if(EXISTS "${file}.ok")
    file(READ "${file}.ok" record)
    z_tsb_json_get_or(known "${record}" "{}" download)
    z_tsb_json_get_or(known_size "${record}" "" size)
    z_tsb_json_get_or(known_time "${record}" "" time)
    file(SIZE "${file}" size)
    file(TIMESTAMP "${file}" time "%s" UTC)
    string(JSON same ERROR_VARIABLE error EQUAL "${known}" "${download}")
    if(
      NOT error
      AND same
      AND size STREQUAL known_size
      AND time STREQUAL known_time
    )
      set(${out} TRUE PARENT_SCOPE)
      return()
    endif()
    z_tsb_json_get_or(known_sha256 "${record}" "" sha256)
    if(NOT error AND same AND known_sha256)
      file(SHA256 "${file}" sha256)
      if(sha256 STREQUAL known_sha256)
        z_tsb_json_get_or(provider "${record}" cache provider)
        z_tsb_cache_remember("${file}" "${download}" "${provider}")
        set(${out} TRUE PARENT_SCOPE)
        return()
      endif()
    endif()
  endif()
  z_tsb_cache_verify(reason "${file}" "${download}" "${file}")
  if(reason)
    file(RENAME "${file}" "${file}.wrong")
    file(REMOVE "${file}.ok")
    message(NOTICE "fetch: ${reason}\n  It was moved aside to ${file}.wrong; another provider is asked.")
    set(${out_reason} "cache: ${reason}" PARENT_SCOPE)
    return()
  endif()
  z_tsb_cache_remember("${file}" "${download}" "cache")
  set(${out} TRUE PARENT_SCOPE)
endfunction()

function(z_tsb_cache_accept out out_reason file download provider from)
  set(${out} FALSE PARENT_SCOPE)
  z_tsb_cache_verify(reason "${file}.part" "${download}" "${from}")
  set(${out_reason} "${reason}" PARENT_SCOPE)
  if(reason)
    file(REMOVE "${file}.part")
    message(NOTICE "fetch: ${file}: ${reason}")
    return()
  endif()
  file(RENAME "${file}.part" "${file}")
  z_tsb_cache_remember("${file}" "${download}" "${provider}")
  set(${out} TRUE PARENT_SCOPE)
endfunction()
