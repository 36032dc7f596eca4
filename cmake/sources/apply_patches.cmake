# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
apply_patches.cmake
-------------------

Script: ``sh run_script.sh cmake -D TSB_PATCHES=<json> -D TSB_PATCH_DIR=<folder> -D TSB_TREE=<folder>
[-D TSB_VERSION=<version>] [-D TSB_FOLDER=<folder>] -P apply_patches.cmake``

Applies patches to a tree: all of them or none. They are tried on copies of the files they touch, and only when every
one applied do the new files go into the tree. ``.tsb-patches`` in the tree lists what was applied, so that a second run
does nothing and other patches are refused.

``TSB_PATCHES``
  The ``patches`` of a source in the pins, a JSON array of objects with ``file``, ``source``, ``reason``, ``upstream``
  and, optionally, ``applies_to`` and ``only_where``.

``TSB_PATCH_DIR``
  The folder that ``file`` is relative to.

``TSB_TREE``
  The tree to patch; what the patches name is relative to it. A patch with ``only_where``, ``{"file": ..., "has": ...}``, is
  applied only when that file is in the tree and has that text in it. One whose change is in the tree already counts as
  applied.

``TSB_VERSION``
  The version of the source. A patch with ``applies_to``, which is one or more constraints such as ``>=3.8,<4``, is
  applied only when the version fulfils all of them.

``TSB_FOLDER``
  The user's folder that the tree is a copy of, for the messages.

Exit code 0: the tree is as the patches want it. 3: it is as it was before; the message names the patch, file and hunk.
#]]
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_patch_select.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_script_exit.cmake")

# The paths that a patch names, relative to the tree.
function(z_tsb_patch_paths out patch)
  file(STRINGS "${patch}" lines REGEX "^(---|\\+\\+\\+) ")
  set(paths "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^(---|\\+\\+\\+) ([^\t]*).*" "\\2" path "${line}")
    string(STRIP "${path}" path)
    if(NOT path STREQUAL "/dev/null")
      # Not REGEX REPLACE: it would take '^' for the beginning of what is left, again and again.
      string(FIND "${path}" "/" slash)
      math(EXPR begin "${slash} + 1")
      string(SUBSTRING "${path}" ${begin} -1 path)
      list(APPEND paths "${path}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES paths)
  set(${out} "${paths}" PARENT_SCOPE)
endfunction()

# Puts the patched copies into the tree. Can be interrupted and done again: the copies stay until all are in place.
function(z_tsb_patch_install work tree)
  file(STRINGS "${work}/paths" paths)
  foreach(path IN LISTS paths)
    if(EXISTS "${work}/tree/${path}")
      get_filename_component(folder "${tree}/${path}" DIRECTORY)
      file(MAKE_DIRECTORY "${folder}")
      file(COPY_FILE "${work}/tree/${path}" "${tree}/${path}.tsb-new")
      file(RENAME "${tree}/${path}.tsb-new" "${tree}/${path}")
    else()
      file(REMOVE "${tree}/${path}")
    endif()
  endforeach()
  file(COPY_FILE "${work}/applied" "${tree}/.tsb-patches.new")
  file(RENAME "${tree}/.tsb-patches.new" "${tree}/.tsb-patches")
  file(REMOVE_RECURSE "${work}")
endfunction()

# Runs patch in a folder. No fuzz: a hunk whose surroundings differ is not the one that was meant.
function(z_tsb_patch_run out_code out_output folder patch)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C "${Z_TSB_PATCH}" --strip=1 --force --fuzz=0 --no-backup-if-mismatch
            --remove-empty-files --reject-file=- "--input=${patch}" ${ARGN}
    WORKING_DIRECTORY "${folder}"
    RESULT_VARIABLE code
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  set(${out_code} "${code}" PARENT_SCOPE)
  set(${out_output} "${output}" PARENT_SCOPE)
endfunction()

function(z_tsb_patch_tree out_reason tree)
  set(${out_reason} "" PARENT_SCOPE)
  set(place "${tree}")
  if(NOT "${TSB_FOLDER}" STREQUAL "")
    set(place "${TSB_FOLDER}")
  endif()
  z_tsb_patch_select(patches reason "${tree}")
  if(reason)
    set(${out_reason} "${reason}" PARENT_SCOPE)
    return()
  endif()
  set(record "")
  foreach(patch IN LISTS patches)
    file(SHA256 "${patch}" hash)
    get_filename_component(name "${patch}" NAME)
    string(APPEND record "${hash}  ${name}\n")
  endforeach()
  set(work "${tree}/.tsb-patching")
  if(EXISTS "${work}/ready")
    z_tsb_patch_install("${work}" "${tree}")
  endif()
  file(REMOVE_RECURSE "${work}")
  set(before "")
  if(EXISTS "${tree}/.tsb-patches")
    file(READ "${tree}/.tsb-patches" before)
  endif()
  if(before STREQUAL record)
    return()
  elseif(NOT before STREQUAL "")
    set(${out_reason} "${tree} has other patches in it already: unpack the source again" PARENT_SCOPE)
    return()
  endif()
  find_program(Z_TSB_PATCH patch)
  if(NOT Z_TSB_PATCH)
    set(${out_reason} "the tool 'patch' is not installed" PARENT_SCOPE)
    return()
  endif()

  file(MAKE_DIRECTORY "${work}/tree")
  set(all_paths "")
  foreach(patch IN LISTS patches)
    z_tsb_patch_paths(paths "${patch}")
    foreach(path IN LISTS paths)
      if(path MATCHES "(^|/)\\.\\.(/|$)" OR path MATCHES "^/")
        set(${out_reason} "${patch} leaves the tree: ${path}" PARENT_SCOPE)
        file(REMOVE_RECURSE "${work}")
        return()
      endif()
      if(NOT path IN_LIST all_paths AND EXISTS "${tree}/${path}")
        get_filename_component(folder "${work}/tree/${path}" DIRECTORY)
        file(MAKE_DIRECTORY "${folder}")
        file(COPY_FILE "${tree}/${path}" "${work}/tree/${path}")
      endif()
      list(APPEND all_paths "${path}")
    endforeach()
    z_tsb_patch_run(code output "${work}/tree" "${patch}" --forward --dry-run)
    if(NOT code EQUAL 0)
      z_tsb_patch_run(code output "${work}/tree" "${patch}" --reverse --dry-run)
      if(code EQUAL 0)
        get_filename_component(name "${patch}" NAME)
        message(NOTICE "patch: ${name} is in ${place} already")
        continue()
      endif()
    endif()
    z_tsb_patch_run(code output "${work}/tree" "${patch}" --forward)
    if(NOT code EQUAL 0)
      # What patch says, without the words that only help who is there to answer.
      string(REPLACE ";" "," output "${output}")
      string(REPLACE "\n" ";" lines "${output}")
      set(current "")
      set(said "")
      foreach(line IN LISTS lines)
        if(line MATCHES "^(checking|patching) file '?([^']*)'?")
          set(current "${CMAKE_MATCH_2}")
        elseif(line MATCHES "^(Hunk #[0-9]+ FAILED at [0-9]+)")
          string(APPEND said "\n  ${current}: ${CMAKE_MATCH_1}")
        elseif(line MATCHES "can't find file|Reversed|malformed|No file to patch")
          string(APPEND said "\n  ${current} ${line}")
        endif()
      endforeach()
      if(said MATCHES "can't find file")
        list(JOIN paths ", " names)
        string(APPEND said "\n  it is for ${names}")
      endif()
      string(PREPEND said "${patch} does not apply to ${place}:")
      if("${TSB_FOLDER}" STREQUAL "")
        string(APPEND said "\n  The tree is as it was before.")
      else()
        string(
          APPEND
          said
          "\n  Make its change there by hand (a patch that is in already counts as applied), or leave it out of a copy of"
          "\n  the pins and name that as TSB_PINS_FILE."
        )
      endif()
      set(${out_reason} "${said}" PARENT_SCOPE)
      file(REMOVE_RECURSE "${work}")
      return()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES all_paths)
  list(JOIN all_paths "\n" all_paths)
  file(WRITE "${work}/paths" "${all_paths}\n")
  file(WRITE "${work}/applied" "${record}")
  file(WRITE "${work}/ready" "")
  z_tsb_patch_install("${work}" "${tree}")
endfunction()

set(reason "")
if("${TSB_PATCHES}" STREQUAL "")
  set(reason "TSB_PATCHES is not set")
endif()
if(NOT reason AND NOT IS_DIRECTORY "${TSB_TREE}")
  set(reason "there is no tree '${TSB_TREE}'")
endif()
if(NOT reason)
  get_filename_component(tree "${TSB_TREE}" ABSOLUTE)
  z_tsb_patch_tree(reason "${tree}")
endif()
if(reason)
  message(NOTICE "patch: ${reason}")
  z_tsb_script_exit(3)
endif()
