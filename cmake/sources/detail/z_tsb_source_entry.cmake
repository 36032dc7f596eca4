# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_json_get_or.cmake")
#[[.rst:
z_tsb_source_entry
------------------

The entries of fetch's result, as releases/README.md describes them.

``z_tsb_source_entry(<out> <pin> <candidate> <download> <file>)``
  For a source whose ``<file>`` is in the cache.

``z_tsb_source_entry_missing(<out> <reason>)``
  For a source that nobody has.
#]]

function(z_tsb_source_entry out pin candidate download file)
  set(entry "{}")
  z_tsb_json_set_string(entry status ok)
  set(record "{}")
  if(EXISTS "${file}.ok")
    file(READ "${file}.ok" record)
  endif()
  z_tsb_json_get_or(provider "${record}" cache provider)
  z_tsb_json_set_string(entry provider "${provider}")
  z_tsb_json_set_string(entry archive "${file}")
  foreach(member version commit)
    z_tsb_json_get_or(value "${candidate}" "" ${member})
    z_tsb_json_set_string(entry ${member} "${value}")
  endforeach()
  z_tsb_json_get_or(value "${download}" "" sha256)
  z_tsb_json_set_string(entry sha256 "${value}")
  z_tsb_json_get_or(value "${pin}" "" license)
  z_tsb_json_get_or(value "${candidate}" "${value}" license)
  z_tsb_json_set_string(entry license "${value}")
  foreach(member subdir into license_file note)
    z_tsb_json_get_or(value "${candidate}" "" ${member})
    if(NOT value STREQUAL "")
      z_tsb_json_set_string(entry ${member} "${value}")
    endif()
  endforeach()
  z_tsb_json_get_or(value "${pin}" "" submodule_path)
  if(NOT value STREQUAL "")
    z_tsb_json_set_string(entry submodule_path "${value}")
  endif()
  z_tsb_json_get_or(strip "${candidate}" 0 strip)
  set(kind archive)
  if(file MATCHES "\\.pack$")
    # A pack has the repository's own tree, without a folder around it.
    set(kind git-pack)
    set(strip 0)
  elseif(file MATCHES "\\.whl$")
    set(kind wheel)
  elseif(file MATCHES "\\.deb$")
    set(kind deb)
  endif()
  z_tsb_json_set_string(entry kind "${kind}")
  string(JSON entry SET "${entry}" strip ${strip})
  file(SIZE "${file}" size)
  string(JSON entry SET "${entry}" size ${size})
  z_tsb_json_get_or(complete "${candidate}" OFF complete)
  if(complete)
    string(JSON entry SET "${entry}" complete true)
  else()
    string(JSON entry SET "${entry}" complete false)
  endif()
  set(${out} "${entry}" PARENT_SCOPE)
endfunction()

function(z_tsb_source_entry_missing out reason)
  set(entry "{}")
  z_tsb_json_set_string(entry status missing)
  z_tsb_json_set_string(entry reason "${reason}")
  set(${out} "${entry}" PARENT_SCOPE)
endfunction()
