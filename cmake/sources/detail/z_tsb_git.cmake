# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_json_get_or.cmake")
#[[.rst:
z_tsb_git
---------

A git commit is kept in the cache as one git pack with the objects of that commit, and of the commits of the submodules
that are taken with it, without history. A pack proves itself: every object in it is named by the hash of its content,
and the commit names everything below it.

``<complete>`` says which submodules are taken: ``OFF`` none, ``ON`` all, or some, a JSON array of their paths from the
top of the source.

``z_tsb_git(<out code> <out output> <out error> <argument>...)``
  Runs git without asking anyone anything and without the caller's repository in the environment.

``z_tsb_git_at(<folder> <out code> <out output> <out error> <argument>...)``
  Asks the repository of a checkout, never one around it, and leaves nothing behind: no lock, no refreshed index. git
  refuses for a folder of another user's.

``z_tsb_git_open_pack(<out reason> <pack> <repository>)``
  Makes a bare repository of a pack.

``z_tsb_git_links(<out> <repository> <commit>)``
  The submodules of a commit, as a list of ``<path>|<commit>``.

``z_tsb_git_taken_links(<out> <repository> <commit> <path> <complete>)``
  Those that are taken, of a commit that lies at ``<path>`` in the source (empty at the top), with paths from the top.

``z_tsb_git_commits(<out> <out reason> <repository> <commit> <complete>)``
  The commit and the commits of the submodules that are taken. Every one has to be in the repository, and every path in
  ``<complete>`` has to be a submodule.

``z_tsb_git_pack_verify(<out reason> <pack> <commit> <complete>)``
  An empty reason when the pack holds the whole commit.
#]]

function(z_tsb_git out_code out_output out_error)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env --unset=GIT_DIR --unset=GIT_WORK_TREE --unset=GIT_INDEX_FILE
            --unset=GIT_OBJECT_DIRECTORY GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=false LC_ALL=C git ${ARGN}
    RESULT_VARIABLE code
    OUTPUT_VARIABLE output
    ERROR_VARIABLE error
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE
  )
  set(${out_code} "${code}" PARENT_SCOPE)
  set(${out_output} "${output}" PARENT_SCOPE)
  set(${out_error} "${error}" PARENT_SCOPE)
endfunction()

function(z_tsb_git_at folder out_code out_output out_error)
  set(before "$ENV{GIT_CEILING_DIRECTORIES}")
  get_filename_component(above "${folder}" DIRECTORY)
  set(ENV{GIT_CEILING_DIRECTORIES} "${above}")
  z_tsb_git(code output error -C "${folder}" --no-optional-locks ${ARGN})
  set(ENV{GIT_CEILING_DIRECTORIES} "${before}")
  set(${out_code} "${code}" PARENT_SCOPE)
  set(${out_output} "${output}" PARENT_SCOPE)
  set(${out_error} "${error}" PARENT_SCOPE)
endfunction()

function(z_tsb_git_open_pack out_reason pack repository)
  file(REMOVE_RECURSE "${repository}")
  z_tsb_git(code output error init --quiet --bare "${repository}")
  if(code EQUAL 0)
    execute_process(
      COMMAND "${CMAKE_COMMAND}" -E env --unset=GIT_DIR --unset=GIT_OBJECT_DIRECTORY LC_ALL=C git
              --git-dir=${repository} index-pack --stdin
      INPUT_FILE "${pack}"
      RESULT_VARIABLE code
      OUTPUT_QUIET
      ERROR_VARIABLE error
      ERROR_STRIP_TRAILING_WHITESPACE
    )
  endif()
  set(reason "")
  if(NOT code EQUAL 0)
    string(REGEX REPLACE "\n.*" "" error "${error}")
    set(reason "not a whole git pack (${error})")
  endif()
  set(${out_reason} "${reason}" PARENT_SCOPE)
endfunction()

function(z_tsb_git_links out repository commit)
  z_tsb_git(code output error --git-dir=${repository} -c core.quotePath=false ls-tree -r ${commit})
  string(REGEX MATCHALL "160000 commit [0-9a-f]+\t[^\n]+" lines "${output}")
  set(links "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "160000 commit ([0-9a-f]+)\t(.*)" "\\2|\\1" link "${line}")
    list(APPEND links "${link}")
  endforeach()
  set(${out} "${links}" PARENT_SCOPE)
endfunction()

function(z_tsb_git_taken_links out repository commit path complete)
  set(${out} "" PARENT_SCOPE)
  if(NOT complete)
    return()
  endif()
  z_tsb_git_links(links "${repository}" ${commit})
  if(path)
    list(TRANSFORM links PREPEND "${path}/")
  endif()
  if(complete MATCHES "^\\[")
    z_tsb_json_get_list(paths "{\"paths\": ${complete}}" paths)
    set(taken "")
    foreach(link IN LISTS links)
      string(REGEX REPLACE "\\|.*" "" below "${link}")
      if(below IN_LIST paths)
        list(APPEND taken "${link}")
      endif()
    endforeach()
    set(links "${taken}")
  endif()
  set(${out} "${links}" PARENT_SCOPE)
endfunction()

function(z_tsb_git_commits out out_reason repository commit complete)
  set(todo "|${commit}")
  set(commits "")
  set(paths "")
  set(${out_reason} "" PARENT_SCOPE)
  while(todo)
    list(POP_FRONT todo next)
    string(REGEX REPLACE "\\|.*" "" path "${next}")
    string(REGEX REPLACE ".*\\|" "" next "${next}")
    list(APPEND paths "${path}")
    z_tsb_git(code output error --git-dir=${repository} cat-file -e ${next}^{commit})
    if(NOT code EQUAL 0)
      set(${out_reason} "commit ${next} is not in it" PARENT_SCOPE)
      return()
    endif()
    list(APPEND commits ${next})
    z_tsb_git_taken_links(links "${repository}" ${next} "${path}" "${complete}")
    list(APPEND todo ${links})
  endwhile()
  if(complete MATCHES "^\\[")
    z_tsb_json_get_list(missing "{\"paths\": ${complete}}" paths)
    list(REMOVE_ITEM missing ${paths})
    if(missing)
      list(JOIN missing ", " missing)
      set(${out_reason} "it has no submodule ${missing}, which its pin names" PARENT_SCOPE)
    endif()
  endif()
  list(REMOVE_DUPLICATES commits)
  set(${out} "${commits}" PARENT_SCOPE)
endfunction()

function(z_tsb_git_pack_verify out_reason pack commit complete)
  set(repository "${pack}.verify")
  z_tsb_git_open_pack(reason "${pack}" "${repository}")
  if(NOT reason)
    z_tsb_git_commits(commits reason "${repository}" ${commit} "${complete}")
  endif()
  if(NOT reason)
    # Named shallow, so that git does not look for the history, which is left out on purpose.
    list(JOIN commits "\n" lines)
    file(WRITE "${repository}/shallow" "${lines}\n")
    z_tsb_git(code output error --git-dir=${repository} rev-list --objects --quiet ${commits})
    if(NOT code EQUAL 0)
      set(reason "objects are missing from it")
    endif()
  endif()
  file(REMOVE_RECURSE "${repository}")
  set(${out_reason} "${reason}" PARENT_SCOPE)
endfunction()
