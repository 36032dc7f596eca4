# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_git.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_json_get_or.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_prebuilt_files.cmake")
#[[.rst:
z_tsb_source_entry
------------------

The entries of fetch's result, as third_party/README.md describes them.

``z_tsb_source_entry(<out> <pin> <candidate> <artefact> <file>)``
  For a source whose ``<file>`` is in the cache.

``z_tsb_source_entry_local(<out> <pin> <folder>)``
  For a source that is a folder of the user's. Nobody pinned it, so its content says what it is: ``tree_sha256`` is the
  SHA-256 of what ``sha256sum`` prints of its files, sorted by name and without what is of git. Of an installed copy only
  some files count (z_tsb_prebuilt_files), which the entry lists under ``files``. ``commit`` is that of a git checkout in
  which nothing was changed, and empty for every other folder.

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

# Of what unpack_source.cmake copies: links are followed, times and modes do not count.
function(z_tsb_tree_sha256 out folder)
  set(files ${ARGN})
  list(SORT files)
  set(sums "")
  set(some "")
  foreach(file IN LISTS files)
    if(EXISTS "${folder}/${file}" AND NOT IS_DIRECTORY "${folder}/${file}")
      file(SHA256 "${folder}/${file}" sum)
      string(APPEND some "${sum}  ${file}\n")
    endif()
    # Appending copies the whole text: a file at a time is 42 seconds for 30,000 files, this is two.
    string(LENGTH "${some}" length)
    if(length GREATER 50000)
      string(APPEND sums "${some}")
      set(some "")
    endif()
  endforeach()
  string(SHA256 sum "${sums}${some}")
  set(${out} "${sum}" PARENT_SCOPE)
endfunction()

# The commit of a checkout, when its files are that commit's; else empty.
function(z_tsb_folder_commit out folder)
  set(${out} "" PARENT_SCOPE)
  if(NOT EXISTS "${folder}/.git")
    return()
  endif()
  # This repository, never one around it.
  set(
    git
    -C
    "${folder}"
    --git-dir=.git
    --work-tree=.
    --no-optional-locks
  )
  # Whatever the repository's or the user's configuration leaves out: PyTorch's ignores changes in its submodules.
  z_tsb_git(
    code
    changes
    error
    ${git}
    status
    --porcelain
    --untracked-files=normal
    --ignore-submodules=none
  )
  if(NOT code EQUAL 0 OR changes)
    return()
  endif()
  z_tsb_git(
    code
    commit
    error
    ${git}
    rev-parse
    --verify
    --quiet
    HEAD
  )
  if(code EQUAL 0)
    set(${out} "${commit}" PARENT_SCOPE)
  endif()
endfunction()

function(z_tsb_source_entry_local out pin folder)
  z_tsb_prebuilt_files(prebuilt "${pin}" "${folder}")
  set(files ${prebuilt})
  set(commit "")
  if(NOT prebuilt)
    file(GLOB_RECURSE files FOLLOW_SYMLINKS LIST_DIRECTORIES false RELATIVE "${folder}" "${folder}/*")
    # A folder, or in a submodule a file.
    list(FILTER files EXCLUDE REGEX "(^|/)\\.git(/|$)")
    z_tsb_folder_commit(commit "${folder}")
  endif()
  z_tsb_tree_sha256(tree "${folder}" ${files})
  set(entry "{\"sha256\": \"\", \"strip\": 0}")
  z_tsb_json_set_string(entry commit "${commit}")
  z_tsb_json_set_string(entry status ok)
  z_tsb_json_set_string(entry provider local)
  z_tsb_json_set_string(entry kind folder)
  z_tsb_json_set_string(entry archive "${folder}")
  z_tsb_json_set_string(entry tree_sha256 "${tree}")
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
