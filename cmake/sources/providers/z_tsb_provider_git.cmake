# SPDX-License-Identifier: BSD-3-Clause
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_git.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_host.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../detail/z_tsb_json_get_or.cmake")
#[[.rst:
z_tsb_provider_git
------------------

Fetches one commit, without its history, from the repository under ``git``, and the commits of the submodules that
``complete`` names (``true``: of all below it), from the repositories that ``.gitmodules`` names. All of it becomes one
git pack. Which commit a submodule has is said by the commit that holds it.

Errors: one reason, which names the submodule when it is one of those that cannot be fetched.
#]]

# z_tsb_git_transfer(<out error> <repository> <argument of fetch>...): asks again, twice, when the connection was lost.
function(z_tsb_git_transfer out_error repository)
  foreach(pause IN ITEMS 2 8 0)
    z_tsb_git(
      code output error -c http.lowSpeedLimit=1000 -c http.lowSpeedTime=60 -c gc.auto=0 --git-dir=${repository} fetch
      --quiet --no-tags ${ARGN}
    )
    z_tsb_transfer_again(again "${error}")
    if(code EQUAL 0)
      set(error "")
      break()
    elseif(NOT again OR pause EQUAL 0)
      break()
    endif()
    execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep ${pause})
  endforeach()
  set(${out_error} "${error}" PARENT_SCOPE)
endfunction()

# Fetches one commit: alone where the server allows it, else with all branches and tags.
function(z_tsb_git_fetch_commit out_reason repository url commit)
  set(${out_reason} "" PARENT_SCOPE)
  z_tsb_git(code output error --git-dir=${repository} cat-file -e ${commit}^{commit})
  if(code EQUAL 0)
    return()
  endif()
  z_tsb_host_reachable_by_git(reason "${url}")
  if(reason)
    set(${out_reason} "${reason}" PARENT_SCOPE)
    return()
  endif()
  z_tsb_git_transfer(error "${repository}" --depth 1 "${url}" ${commit})
  # Only for a server that refuses to do so: everything is a gigabyte of PyTorch.
  if(error MATCHES "unadvertised object|dumb http|shallow")
    z_tsb_git_transfer(
      error "${repository}" "${url}" "+refs/heads/*:refs/fetched/heads/*" "+refs/tags/*:refs/fetched/tags/*"
    )
  endif()
  if(NOT error STREQUAL "" AND NOT error MATCHES "not our ref|no such remote ref")
    z_tsb_transfer_error(reason "${url}" "${error}")
    if(NOT reason)
      string(REGEX MATCH "(fatal|error): [^\n]*" reason "${error}")
    endif()
    set(${out_reason} "${url}: ${reason}" PARENT_SCOPE)
    return()
  endif()
  z_tsb_git(code output error --git-dir=${repository} cat-file -e ${commit}^{commit})
  if(NOT code EQUAL 0)
    set(${out_reason} "${url} has no commit ${commit}" PARENT_SCOPE)
  endif()
endfunction()

# The address of a submodule, which may be written relative to the address of the repository that has it.
function(z_tsb_git_submodule_url out repository commit path parent_url)
  z_tsb_git(
    code output error --git-dir=${repository} config --blob ${commit}:.gitmodules --get-regexp
    "^submodule\\..*\\.path$"
  )
  string(REPLACE "\n" ";" lines "${output}")
  set(url "")
  foreach(line IN LISTS lines)
    string(FIND "${line}" ".path ${path}" at REVERSE)
    string(LENGTH "${line}" length)
    string(LENGTH ".path ${path}" tail)
    math(EXPR expected "${length} - ${tail}")
    if(at GREATER 0 AND at EQUAL expected)
      string(SUBSTRING "${line}" 0 ${at} key)
      z_tsb_git(code url error --git-dir=${repository} config --blob ${commit}:.gitmodules --get "${key}.url")
    endif()
  endforeach()
  if(url MATCHES "^\\.\\.?/")
    string(REGEX REPLACE "/+$" "" base "${parent_url}")
    while(url MATCHES "^(\\.\\.?)/(.*)$")
      set(url "${CMAKE_MATCH_2}")
      if(CMAKE_MATCH_1 STREQUAL "..")
        string(REGEX REPLACE "/[^/]*$" "" base "${base}")
      endif()
    endwhile()
    set(url "${base}/${url}")
  endif()
  set(${out} "${url}" PARENT_SCOPE)
endfunction()

function(z_tsb_provider_git out_reason out_from name candidate download file)
  z_tsb_json_get_or(url "${candidate}" "" git)
  z_tsb_json_get_or(commit "${download}" "" commit)
  z_tsb_json_get_or(complete "${download}" OFF complete)
  set(${out_from} "${url}" PARENT_SCOPE)
  find_program(Z_TSB_GIT git)
  if(NOT Z_TSB_GIT)
    set(${out_reason} "git is not installed" PARENT_SCOPE)
    return()
  endif()
  set(repository "${TSB_RUN}/git/${name}")
  file(REMOVE_RECURSE "${repository}")
  z_tsb_git(code output error init --quiet --bare "${repository}")
  # <path in the source>|<commit>|<address>
  set(todo "|${commit}|${url}")
  set(commits "")
  while(todo)
    list(POP_FRONT todo next)
    string(REGEX MATCH "^([^|]*)\\|([^|]*)\\|(.*)$" ignored "${next}")
    set(path "${CMAKE_MATCH_1}")
    set(next_commit "${CMAKE_MATCH_2}")
    set(next_url "${CMAKE_MATCH_3}")
    set(reason ".gitmodules has no address for it")
    if(next_url)
      z_tsb_git_fetch_commit(reason "${repository}" "${next_url}" ${next_commit})
    endif()
    if(reason)
      file(REMOVE_RECURSE "${repository}")
      if(path)
        string(PREPEND reason "submodule ${path}: ")
      endif()
      set(${out_reason} "${reason}" PARENT_SCOPE)
      return()
    endif()
    list(APPEND commits ${next_commit})
    z_tsb_git_taken_links(links "${repository}" ${next_commit} "${path}" "${complete}")
    foreach(link IN LISTS links)
      string(REGEX MATCH "^([^|]*)\\|(.*)$" ignored "${link}")
      set(below_path "${CMAKE_MATCH_1}")
      set(below "${CMAKE_MATCH_2}")
      set(place "${below_path}") # in its own repository
      if(path)
        string(LENGTH "${path}/" length)
        string(SUBSTRING "${below_path}" ${length} -1 place)
      endif()
      z_tsb_git_submodule_url(below_url "${repository}" ${next_commit} "${place}" "${next_url}")
      list(APPEND todo "${below_path}|${below}|${below_url}")
    endforeach()
  endwhile()
  # Without history, also where all of it had to be fetched.
  list(REMOVE_DUPLICATES commits)
  list(JOIN commits "\n" lines)
  file(WRITE "${repository}/shallow" "${lines}\n")
  file(WRITE "${repository}/commits" "${lines}\n")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env --unset=GIT_DIR --unset=GIT_OBJECT_DIRECTORY git --git-dir=${repository}
            pack-objects --revs --stdout --quiet
    INPUT_FILE "${repository}/commits"
    OUTPUT_FILE "${file}.part"
    RESULT_VARIABLE code
    ERROR_VARIABLE error
  )
  file(REMOVE_RECURSE "${repository}")
  set(reason "")
  if(NOT code EQUAL 0)
    set(reason "git cannot pack it: ${error}")
  endif()
  set(${out_reason} "${reason}" PARENT_SCOPE)
endfunction()
