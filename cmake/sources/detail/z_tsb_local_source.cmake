# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_git.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_json_get_or.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_prebuilt_files.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_source_entry.cmake")
#[[.rst:
z_tsb_local_source
------------------

``z_tsb_local_source(<out> <name> <pin> <folder> <work>)`` gives the entry of fetch's result for a source that is a folder
of the user's. Nobody pinned it, so its content says what it is: ``tree_sha256`` is the SHA-256 of what ``sha256sum``
prints of its files, sorted by name and without what is of git (hash_tree.sh). These lines stay in ``<work>``, beside the
names; ``list`` is their path without extension, and unpack_source.cmake copies what they say. For an installed copy only
some files count (z_tsb_prebuilt_files), which the entry lists under ``files``.

``commit`` is that of a git checkout in which nothing was changed, and empty for every other folder. ``submodules`` has a
member for each submodule in the pin whose place the folder has: its ``path`` and ``commit`` (empty: git does not tell it),
or, for one that is empty in a checkout, ``checkout``: what to name to ``git submodule update``. The others have to be fetched.
#]]

# What git says about a folder that is a checkout by itself: the commit when nothing was changed, and else in a few words why
# there is none.
function(z_tsb_folder_commit out_commit out_why folder)
  set(${out_commit} "" PARENT_SCOPE)
  set(${out_why} "" PARENT_SCOPE)
  if(NOT EXISTS "${folder}/.git")
    return()
  endif()
  # Whatever the repository's or the user's configuration leaves out: PyTorch's ignores changes in its submodules.
  z_tsb_git_at("${folder}" code changes error status --porcelain --untracked-files=normal --ignore-submodules=none)
  if(NOT code EQUAL 0)
    if(error MATCHES "dubious ownership in repository at '([^\n]*)'")
      set(
        why
        "git does not trust ${CMAKE_MATCH_1}, which belongs to another user: git config --global --add safe.directory '${CMAKE_MATCH_1}'"
      )
    else()
      string(REGEX REPLACE "\n.*" "" error "${error}")
      set(why "git says: ${error}")
    endif()
    set(${out_why} "${why}" PARENT_SCOPE)
    return()
  elseif(NOT changes STREQUAL "")
    string(REGEX MATCH "^...([^\n]*)" first "${changes}")
    set(first "${CMAKE_MATCH_1}")
    string(REGEX MATCHALL "\n" more "${changes}")
    list(LENGTH more more)
    set(why "${first} is changed or new")
    if(more)
      set(why "${first} and ${more} more are changed or new")
    endif()
    set(${out_why} "${why}" PARENT_SCOPE)
    return()
  endif()
  z_tsb_git_at("${folder}" code commit error rev-parse --verify --quiet HEAD)
  if(code EQUAL 0)
    set(${out_commit} "${commit}" PARENT_SCOPE)
  else()
    set(${out_why} "it has no commit yet" PARENT_SCOPE)
  endif()
endfunction()

# The submodules that a folder's .gitmodules names, as paths below it.
function(z_tsb_folder_gitmodules out folder)
  set(paths "")
  if(EXISTS "${folder}/.gitmodules")
    file(STRINGS "${folder}/.gitmodules" paths REGEX "^[ \t]*path[ \t]*=")
    list(TRANSFORM paths REPLACE "^[ \t]*path[ \t]*=[ \t]*(.*[^ \t])[ \t]*$" "\\1")
  endif()
  set(${out} "${paths}" PARENT_SCOPE)
endfunction()

# The entry's `submodules`.
function(z_tsb_folder_submodules out pin folder)
  set(submodules "{}")
  z_tsb_folder_gitmodules(outermost "${folder}")
  z_tsb_json_get_each(names "${pin}" submodules name)
  z_tsb_json_get_each(paths "${pin}" submodules path)
  foreach(name path IN ZIP_LISTS names paths)
    # The checkout that the place is in: of the folder itself, of a submodule, or of one in that.
    set(checkout "")
    set(commit "")
    set(known OFF)
    set(below "${path}")
    while(below)
      if(below IN_LIST outermost)
        set(checkout "${below}")
      endif()
      if(known)
        # by what lies further in
      elseif(NOT below STREQUAL path AND below IN_LIST paths)
        set(known ON) # the repository is another source's
      elseif(EXISTS "${folder}/${below}/.git")
        z_tsb_folder_commit(commit why "${folder}/${below}")
        set(known ON)
      endif()
      get_filename_component(below "${below}" DIRECTORY)
    endwhile()
    file(GLOB content "${folder}/${path}/*")
    set(entry "{}")
    if(content)
      z_tsb_json_set_string(entry path "${path}")
      z_tsb_json_set_string(entry commit "${commit}")
    elseif(checkout)
      z_tsb_json_set_string(entry checkout "${checkout}")
    else()
      continue()
    endif()
    string(JSON submodules SET "${submodules}" "${name}" "${entry}")
  endforeach()
  set(${out} "${submodules}" PARENT_SCOPE)
endfunction()

function(z_tsb_local_source out name pin folder work)
  set(list "${work}/local-${name}")
  z_tsb_prebuilt_files(prebuilt "${pin}" "${folder}")
  set(only "")
  if(prebuilt)
    list(JOIN prebuilt "\n" lines)
    file(WRITE "${list}.only" "${lines}\n")
    set(only "${list}.only")
  endif()
  execute_process(
    COMMAND sh "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/hash_tree.sh" "${folder}" "${list}" ${only} RESULT_VARIABLE code
    ERROR_VARIABLE error
  )
  if(NOT code EQUAL 0)
    string(REGEX REPLACE "\n.*" "" error "${error}")
    string(REGEX REPLACE "^[a-z0-9]+: " "" error "${error}")
    z_tsb_source_entry_missing(entry "local: a file in ${folder} cannot be read: ${error}")
    set(${out} "${entry}" PARENT_SCOPE)
    return()
  endif()
  file(SHA256 "${list}.sums" tree)
  set(commit "")
  set(why "")
  if(NOT prebuilt)
    z_tsb_folder_commit(commit why "${folder}")
  endif()
  set(told "")
  if(commit)
    set(told ", commit ${commit}")
  elseif(why)
    set(told ", no commit: ${why}")
  endif()
  message(NOTICE "fetch: ${name} is the folder ${folder}${told}")
  set(entry "{\"sha256\": \"\", \"strip\": 0, \"complete\": false}")
  z_tsb_json_set_string(entry commit "${commit}")
  z_tsb_json_set_string(entry status ok)
  z_tsb_json_set_string(entry provider local)
  z_tsb_json_set_string(entry kind folder)
  z_tsb_json_set_string(entry archive "${folder}")
  z_tsb_json_set_string(entry tree_sha256 "${tree}")
  z_tsb_json_set_string(entry list "${list}")
  if(prebuilt)
    z_tsb_json_set_array(entry files ${prebuilt})
  endif()
  z_tsb_json_get_or(value "${pin}" "" candidates 0 version)
  z_tsb_json_set_string(entry version "${value}")
  foreach(member license submodule_path)
    z_tsb_json_get_or(value "${pin}" "" ${member})
    z_tsb_json_set_string(entry ${member} "${value}")
  endforeach()
  z_tsb_folder_submodules(submodules "${pin}" "${folder}")
  string(JSON entry SET "${entry}" submodules "${submodules}")
  set(${out} "${entry}" PARENT_SCOPE)
endfunction()
