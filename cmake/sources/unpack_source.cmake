# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
unpack_source.cmake
-------------------

Script: ``sh run_script.sh cmake -D TSB_SOURCE=<json> -D TSB_DESTINATION=<folder> -P unpack_source.cmake``

Unpacks one source of a fetch to ``TSB_DESTINATION``, which it replaces. The work is done in a folder beside it that is
renamed at the end, so the destination is either what it was before or the whole source.

``TSB_SOURCE``
  The source's entry of the result of fetch_sources.cmake, as JSON.

``TSB_RESULT``, ``TSB_NAME``
  Instead of ``TSB_SOURCE``: the file with the result, and the name of the source in it.

``TSB_DESTINATION``
  The folder to make.

A file is hashed before anything is taken out of it: what was verified when it was fetched may have changed since. (In a
git pack, the names of objects are their hashes.)

What the entry says is followed: ``strip`` leading folders are taken off, only ``subdir`` is taken, ``into`` names the
folder below the destination that it goes to, and ``license_file``, which is outside ``subdir``, becomes ``LICENSE``.

Exit code 0: done. 3: the source cannot be unpacked; the message says why.
#]]
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_git.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_json_get_or.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_script_exit.cmake")

function(z_tsb_unpack_tar out_reason archive folder)
  file(MAKE_DIRECTORY "${folder}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E tar xf "${archive}"
    WORKING_DIRECTORY "${folder}"
    RESULT_VARIABLE code
    OUTPUT_VARIABLE output
    ERROR_VARIABLE error
    ERROR_STRIP_TRAILING_WHITESPACE
  )
  set(reason "")
  if(NOT code EQUAL 0)
    # The first line, without the heads that cmake and libarchive's caller put before it.
    string(REGEX MATCH "[^\n]*" error "${error}")
    string(REGEX REPLACE ".*(CMake Error: |Problem with [^:]*: )" "" error "${error}")
    set(reason "${archive} cannot be unpacked: ${error}")
  endif()
  set(${out_reason} "${reason}" PARENT_SCOPE)
endfunction()

# The files of a Debian package are in a tar archive inside an ar archive.
function(z_tsb_unpack_deb out_reason archive folder)
  z_tsb_unpack_tar(reason "${archive}" "${folder}.deb")
  if(NOT reason)
    file(GLOB data "${folder}.deb/data.tar*")
    if(data)
      z_tsb_unpack_tar(reason "${data}" "${folder}")
    else()
      set(reason "${archive} has no data.tar in it")
    endif()
  endif()
  file(REMOVE_RECURSE "${folder}.deb")
  set(${out_reason} "${reason}" PARENT_SCOPE)
endfunction()

# Writes the files of a commit, and of the commits of its submodules that are in the pack, as a clone would have them.
function(z_tsb_unpack_git out_reason repository commit folder)
  file(MAKE_DIRECTORY "${folder}")
  set(git "--git-dir=${repository}" "--work-tree=${folder}" -c core.bare=false -c core.autocrlf=false)
  z_tsb_git(code output error ${git} read-tree ${commit})
  if(code EQUAL 0)
    z_tsb_git(code output error ${git} checkout-index --all --force)
  endif()
  if(NOT code EQUAL 0)
    set(${out_reason} "the commit ${commit} cannot be written: ${error}" PARENT_SCOPE)
    return()
  endif()
  z_tsb_git_links(links "${repository}" ${commit})
  foreach(link IN LISTS links)
    string(REGEX REPLACE "\\|.*" "" path "${link}")
    string(REGEX REPLACE ".*\\|" "" below "${link}")
    file(MAKE_DIRECTORY "${folder}/${path}")
    z_tsb_git(code output error --git-dir=${repository} cat-file -e ${below})
    if(code EQUAL 0)
      z_tsb_unpack_git(reason "${repository}" ${below} "${folder}/${path}")
      if(reason)
        set(${out_reason} "${reason}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
  set(${out_reason} "" PARENT_SCOPE)
endfunction()

# Copies the files of a folder that fetch hashed (hash_tree.sh), and nothing else: what is of git stays where it is, and
# whatever else writes into the folder meanwhile does no harm. Links become the files that they lead to. A file that is
# not what it was when it was hashed is an error: the tree would not be what its hash says.
function(z_tsb_copy_folder out_reason from list to)
  set(${out_reason} "" PARENT_SCOPE)
  file(MAKE_DIRECTORY "${to}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C tar --create --directory=${from} --dereference --hard-dereference --null
            --no-recursion "--files-from=${list}.names"
    COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C tar --extract --directory=${to} --no-same-owner --no-same-permissions
            --touch RESULTS_VARIABLE codes
    ERROR_VARIABLE error
  )
  set(why "cannot be copied")
  if(codes STREQUAL "0;0")
    execute_process(
      COMMAND sh "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/detail/hash_tree.sh" "${to}" "${to}.copied" RESULT_VARIABLE code
      ERROR_VARIABLE error
    )
    if(code EQUAL 0)
      file(SHA256 "${list}.sums" wanted)
      file(SHA256 "${to}.copied.sums" copied)
      if(copied STREQUAL wanted)
        return()
      endif()
      execute_process(
        COMMAND grep --text --fixed-strings --line-regexp --invert-match --max-count=1 "--file=${to}.copied.sums"
                "${list}.sums" OUTPUT_VARIABLE error
      )
      string(REGEX REPLACE "^[^ ]*  " "" error "${error}")
    endif()
    set(why "changed since it was fetched")
  endif()
  string(REGEX REPLACE "\n.*" "" error "${error}")
  string(REGEX REPLACE "^[a-z0-9]+: " "" error "${error}")
  set(
    ${out_reason} "${from} ${why}: ${error}\n  Let nothing write into it, and run the same command again." PARENT_SCOPE
  )
endfunction()

# Goes down through folders that are alone at their level, as many as the pin says.
function(z_tsb_unpack_strip out out_reason folder strip archive)
  set(${out_reason} "" PARENT_SCOPE)
  set(left ${strip})
  while(left GREATER 0)
    file(GLOB content LIST_DIRECTORIES true "${folder}/*" "${folder}/.*")
    list(LENGTH content count)
    if(NOT count EQUAL 1 OR NOT IS_DIRECTORY "${content}")
      set(
        ${out_reason} "${archive} does not have everything in one folder, but its pin has \"strip\": ${strip}"
        PARENT_SCOPE
      )
      return()
    endif()
    set(folder "${content}")
    math(EXPR left "${left} - 1")
  endwhile()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# A file that is no longer what fetch verified is put aside, so that fetch brings it again.
function(z_tsb_unpack_verify out_reason source archive)
  set(reason "")
  z_tsb_json_get_or(expected "${source}" "" sha256)
  if(NOT EXISTS "${archive}")
    set(reason "${archive} is gone since it was fetched")
  elseif(expected)
    file(SHA256 "${archive}" actual)
    if(NOT actual STREQUAL expected)
      file(RENAME "${archive}" "${archive}.wrong")
      file(REMOVE "${archive}.ok")
      set(reason "${archive} changed since it was fetched: sha256 expected ${expected}, got ${actual}")
      string(APPEND reason "\n  It was moved aside to ${archive}.wrong")
    endif()
  endif()
  if(reason)
    string(APPEND reason "\n  Run the same command again: it is fetched again.")
  endif()
  set(${out_reason} "${reason}" PARENT_SCOPE)
endfunction()

function(z_tsb_unpack out_reason source destination)
  z_tsb_json_get_or(status "${source}" "" status)
  z_tsb_json_get_or(archive "${source}" "" archive)
  z_tsb_json_get_or(kind "${source}" "" kind)
  z_tsb_json_get_or(strip "${source}" 0 strip)
  z_tsb_json_get_or(subdir "${source}" "" subdir)
  z_tsb_json_get_or(into "${source}" "" into)
  if(NOT status STREQUAL "ok" OR archive STREQUAL "")
    set(
      ${out_reason} "there is nothing to unpack (status '${status}', '${archive}'): run the target fetch" PARENT_SCOPE
    )
    return()
  endif()
  z_tsb_unpack_verify(reason "${source}" "${archive}")
  if(reason)
    set(${out_reason} "${reason}" PARENT_SCOPE)
    return()
  endif()
  set(temporary "${destination}.unpacking")
  file(REMOVE_RECURSE "${temporary}" "${destination}.replaced")
  set(folder "${temporary}/content")
  file(MAKE_DIRECTORY "${folder}")
  set(reason "")
  z_tsb_json_get_list(files "${source}" files)
  if(kind STREQUAL "folder" AND files)
    foreach(file IN LISTS files)
      get_filename_component(below "${file}" DIRECTORY)
      file(COPY "${archive}/${file}" DESTINATION "${folder}/${below}")
    endforeach()
  elseif(kind STREQUAL "folder")
    z_tsb_json_get_or(list "${source}" "" list)
    z_tsb_copy_folder(reason "${archive}" "${list}" "${folder}")
  elseif(kind STREQUAL "deb")
    z_tsb_unpack_deb(reason "${archive}" "${folder}")
  elseif(kind STREQUAL "git-pack")
    z_tsb_json_get_or(commit "${source}" "" commit)
    z_tsb_git_open_pack(reason "${archive}" "${temporary}/repository")
    if(NOT reason)
      z_tsb_unpack_git(reason "${temporary}/repository" ${commit} "${folder}")
    endif()
    if(reason)
      file(REMOVE "${archive}.ok") # fetch is to look at it again
      string(APPEND reason "\n  Run the same command again: it is verified again.")
    endif()
  elseif(kind MATCHES "^(archive|wheel)$")
    z_tsb_unpack_tar(reason "${archive}" "${folder}")
  else()
    set(reason "${archive} is of unknown kind ('${kind}')")
  endif()
  if(NOT reason)
    z_tsb_unpack_strip(folder reason "${folder}" "${strip}" "${archive}")
  endif()
  set(root "${folder}")
  if(NOT reason AND subdir)
    set(folder "${folder}/${subdir}")
    if(NOT IS_DIRECTORY "${folder}")
      set(reason "${archive} has no folder '${subdir}'")
    endif()
  endif()
  z_tsb_json_get_or(license_file "${source}" "" license_file)
  if(NOT reason AND license_file AND NOT EXISTS "${root}/${license_file}")
    set(reason "${archive} has no file '${license_file}', which its pin names as its licence")
  endif()
  if(NOT reason)
    if(license_file)
      file(COPY_FILE "${root}/${license_file}" "${temporary}/LICENSE")
    endif()
    if(into)
      get_filename_component(above "${temporary}/placed/${into}" DIRECTORY)
      file(MAKE_DIRECTORY "${above}")
      file(RENAME "${folder}" "${temporary}/placed/${into}")
      set(folder "${temporary}/placed")
    endif()
    if(license_file)
      file(RENAME "${temporary}/LICENSE" "${folder}/LICENSE")
    endif()
    # The old tree goes away by a rename, since a removal can be interrupted half-way.
    if(EXISTS "${destination}")
      file(RENAME "${destination}" "${destination}.replaced")
    endif()
    file(RENAME "${folder}" "${destination}")
  endif()
  file(REMOVE_RECURSE "${temporary}" "${destination}.replaced")
  set(${out_reason} "${reason}" PARENT_SCOPE)
endfunction()

set(reason "")
if("${TSB_SOURCE}" STREQUAL "" AND NOT "${TSB_RESULT}" STREQUAL "")
  set(result "{}")
  if(EXISTS "${TSB_RESULT}")
    file(READ "${TSB_RESULT}" result)
  endif()
  z_tsb_json_get_or(TSB_SOURCE "${result}" "" sources "${TSB_NAME}")
  if(TSB_SOURCE STREQUAL "")
    set(reason "${TSB_RESULT} has no source '${TSB_NAME}': run the target fetch")
  endif()
elseif("${TSB_SOURCE}" STREQUAL "")
  set(reason "TSB_SOURCE is not set")
endif()
if(NOT reason AND "${TSB_DESTINATION}" STREQUAL "")
  set(reason "TSB_DESTINATION is not set")
endif()
if(NOT reason)
  get_filename_component(destination "${TSB_DESTINATION}" ABSOLUTE)
  string(REGEX REPLACE "/+$" "" destination "${destination}")
  get_filename_component(above "${destination}" DIRECTORY)
  file(MAKE_DIRECTORY "${above}")
  z_tsb_unpack(reason "${TSB_SOURCE}" "${destination}")
endif()
if(reason)
  message(NOTICE "unpack: ${reason}")
  z_tsb_script_exit(3)
endif()
