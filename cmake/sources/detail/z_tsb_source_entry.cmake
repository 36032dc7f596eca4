# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_json_get_or.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_prebuilt_files.cmake")
#[[.rst:
z_tsb_source_entry
------------------

The entries of fetch's result, as third_party/README.md describes them.

``z_tsb_source_entry(<out> <pin> <candidate> <artefact> <file>)``
  For a source whose ``<file>`` is in the cache.

``z_tsb_source_entry_local(<out> <pin> <folder>)``
  For a source that is a folder of the user's. Its files are not copied into the cache, so the state of all of them is
  its fingerprint. Of an installed copy only some files count (z_tsb_prebuilt_files), which the entry lists under
  ``files``.

``z_tsb_source_entry_missing(<out> <reason>)``
  For a source that nobody has.
#]]

function(
  z_tsb_source_entry
  out
  pin
  candidate
  artefact
  file
)
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
  z_tsb_json_get_or(value "${artefact}" "" sha256)
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

# Taken for complete when every submodule that the pin knows has something in it.
function(z_tsb_folder_is_complete out pin folder)
  set(${out} true PARENT_SCOPE)
  string(JSON count ERROR_VARIABLE error LENGTH "${pin}" submodules)
  if(NOT error AND count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      z_tsb_json_get_or(path "${pin}" "" submodules ${index} path)
      file(GLOB content "${folder}/${path}/*")
      if(NOT content)
        set(${out} false PARENT_SCOPE)
      endif()
    endforeach()
  endif()
endfunction()

function(z_tsb_source_entry_local out pin folder)
  z_tsb_prebuilt_files(prebuilt "${pin}" "${folder}")
  set(files ${prebuilt})
  if(NOT prebuilt)
    file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE "${folder}" "${folder}/*")
    list(FILTER files EXCLUDE REGEX "(^|/)\\.git/")
  endif()
  set(state "")
  foreach(file IN LISTS files)
    if(EXISTS "${folder}/${file}")
      file(TIMESTAMP "${folder}/${file}" time "%s" UTC)
      file(SIZE "${folder}/${file}" size)
      string(APPEND state "${file} ${size} ${time}\n")
    endif()
  endforeach()
  string(SHA256 fingerprint "${state}")
  set(entry "{\"commit\": \"\", \"sha256\": \"\", \"strip\": 0}")
  z_tsb_json_set_string(entry status ok)
  z_tsb_json_set_string(entry provider local)
  z_tsb_json_set_string(entry kind folder)
  z_tsb_json_set_string(entry archive "${folder}")
  z_tsb_json_set_string(entry fingerprint "${fingerprint}")
  if(prebuilt)
    z_tsb_json_set_array(entry files ${prebuilt})
  endif()
  z_tsb_json_get_or(value "${pin}" "" candidates 0 version)
  z_tsb_json_set_string(entry version "${value}")
  foreach(member license submodule_path)
    z_tsb_json_get_or(value "${pin}" "" ${member})
    z_tsb_json_set_string(entry ${member} "${value}")
  endforeach()
  z_tsb_folder_is_complete(complete "${pin}" "${folder}")
  string(JSON entry SET "${entry}" complete ${complete})
  set(${out} "${entry}" PARENT_SCOPE)
endfunction()

function(z_tsb_source_entry_missing out reason)
  set(entry "{}")
  z_tsb_json_set_string(entry status missing)
  z_tsb_json_set_string(entry reason "${reason}")
  set(${out} "${entry}" PARENT_SCOPE)
endfunction()
