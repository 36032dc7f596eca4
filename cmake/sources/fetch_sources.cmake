# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
fetch_sources.cmake
-------------------

Script: ``sh run_script.sh cmake -D TSB_REQUEST=<json file> -D TSB_RESULT=<json file> -P fetch_sources.cmake``

Brings every source of the request into the cache, verified, several at once, and says what is missing, all of it at
once. The request and the result are described in releases/README.md.

``TSB_REQUEST``
  The file with the request.

``TSB_RESULT``
  The file to write the result to. It is also written when sources are missing.

Exit code 0: every required source is in the cache. 1: one is missing. 3: the request or the pins cannot be used.
#]]
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_fetch_report.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_fetch_request.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_json_get_or.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_script_exit.cmake")

# Fetches the named sources in a few processes at once. Their words go to stderr: each one's stdout is the next one's
# stdin here, which nobody reads.
function(z_tsb_fetch_names run)
  if(NOT ARGN)
    return()
  endif()
  file(WRITE "${run}/names" "${ARGN}")
  list(LENGTH ARGN workers)
  if(workers GREATER 4)
    set(workers 4)
  endif()
  set(commands "")
  foreach(worker RANGE 1 ${workers})
    list(
      APPEND commands COMMAND sh -c "exec \"$@\" >&2 </dev/null" sh "${CMAKE_COMMAND}" "-DTSB_RUN=${run}" -P
      "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/fetch_worker.cmake"
    )
  endforeach()
  execute_process(${commands})
endfunction()

# Adds the results of the workers to the result.
function(z_tsb_fetch_collect out run result)
  foreach(name IN LISTS ARGN)
    set(entry "{\"status\": \"missing\", \"reason\": \"the fetch worker ended without a result\"}")
    if(EXISTS "${run}/results/${name}.json")
      file(READ "${run}/results/${name}.json" entry)
    endif()
    string(JSON result SET "${result}" sources "${name}" "${entry}")
  endforeach()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

# The entry of a submodule whose place a tree has, from the tree's own entry; empty when it has to be fetched.
function(z_tsb_fetch_included out pins tree_name tree member)
  set(${out} "" PARENT_SCOPE)
  string(JSON pin GET "${pins}" sources "${member}")
  # What a release brings is what it pins, and that is the first candidate. For a folder's git has to say so; its patches
  # are chosen as if it were.
  z_tsb_json_get_or(version "${pin}" "" candidates 0 version)
  set(stands_for "${version}")
  z_tsb_json_get_or(commit "${pin}" "" candidates 0 commit)
  z_tsb_json_get_or(complete "${tree}" OFF complete)
  string(JSON told ERROR_VARIABLE absent GET "${tree}" submodules "${member}")
  set(entry "{}")
  z_tsb_json_set_string(entry in "${tree_name}")
  if(absent STREQUAL "NOTFOUND")
    z_tsb_json_get_or(folder "${tree}" "" archive)
    z_tsb_json_get_or(checkout "${told}" "" checkout)
    set(empty "${checkout}")
    # What its pin takes along of its own submodules has to be there as well.
    z_tsb_json_get_or(path "${told}" "" path)
    z_tsb_json_get_list(inner "${pin}" candidates 0 complete)
    foreach(below IN LISTS inner)
      file(GLOB content "${folder}/${path}/${below}/*")
      if(path AND NOT content)
        set(checkout "${path}")
        set(empty "${path}/${below}")
      endif()
    endforeach()
    if(checkout)
      z_tsb_json_set_string(entry status missing)
      z_tsb_json_set_string(entry checkout "${checkout}")
      z_tsb_json_set_string(entry reason "the submodule ${empty} of ${folder} is empty")
      set(${out} "${entry}" PARENT_SCOPE)
      return()
    endif()
    z_tsb_json_get_or(own "${told}" "" commit)
    if(NOT own OR NOT own STREQUAL commit)
      set(version "")
    endif()
    set(commit "${own}")
  elseif(NOT complete)
    return()
  endif()
  z_tsb_json_get_or(license "${pin}" "" license)
  z_tsb_json_set_string(entry status included)
  foreach(value IN ITEMS version stands_for commit license)
    z_tsb_json_set_string(entry ${value} "${${value}}")
  endforeach()
  # Where its licence lies when its place is only a part of its repository.
  foreach(value IN ITEMS subdir license_file)
    z_tsb_json_get_or(${value} "${pin}" "" candidates 0 ${value})
    if(${value})
      z_tsb_json_set_string(entry ${value} "${${value}}")
    endif()
  endforeach()
  set(${out} "${entry}" PARENT_SCOPE)
endfunction()

# Takes away what runs left that were killed: nobody holds their lock any more.
function(z_tsb_fetch_clean work)
  file(GLOB runs "${work}/fetch-*")
  foreach(run IN LISTS runs)
    if(EXISTS "${run}/alive")
      file(
        LOCK "${run}/alive"
        GUARD FUNCTION
        TIMEOUT 0
        RESULT_VARIABLE busy
      )
      if(busy EQUAL 0)
        file(LOCK "${run}/alive" RELEASE)
        file(REMOVE_RECURSE "${run}")
      endif()
    endif()
  endforeach()
endfunction()

function(z_tsb_fetch_all out_code)
  z_tsb_fetch_request(request pins names error)
  if(error)
    message(NOTICE "fetch: ${error}")
    set(${out_code} 3 PARENT_SCOPE)
    return()
  endif()
  string(TIMESTAMP begin "%s")
  z_tsb_json_get_or(work "${request}" "" work)
  z_tsb_fetch_clean("${work}")
  string(RANDOM LENGTH 8 id)
  set(run "${work}/fetch-${id}")
  file(MAKE_DIRECTORY "${run}/claims" "${run}/results")
  file(LOCK "${run}/alive" GUARD PROCESS)
  file(WRITE "${run}/request.json" "${request}")
  file(WRITE "${run}/pins.json" "${pins}")

  # First everything but the members of a tree that may bring them itself, then what such a tree turned out to lack, and
  # what the user has a folder of instead of the tree's.
  set(members "")
  foreach(name IN LISTS names)
    z_tsb_fetch_members(below "${pins}" "${name}")
    list(APPEND members ${below})
  endforeach()
  set(first ${names})
  if(members)
    list(REMOVE_ITEM first ${members})
  endif()
  z_tsb_fetch_names("${run}" ${first})
  set(result "{\"sources\": {}}")
  z_tsb_fetch_collect(result "${run}" "${result}" ${first})
  set(second "")
  foreach(name IN LISTS first)
    z_tsb_fetch_members(below "${pins}" "${name}")
    z_tsb_json_get_or(tree "${result}" "{}" sources "${name}")
    foreach(member IN LISTS below)
      z_tsb_json_get_or(local "${request}" "" local "${member}")
      z_tsb_fetch_included(entry "${pins}" "${name}" "${tree}" "${member}")
      if(entry AND local STREQUAL "")
        string(JSON result SET "${result}" sources "${member}" "${entry}")
      else()
        list(APPEND second "${member}")
      endif()
    endforeach()
  endforeach()
  z_tsb_fetch_names("${run}" ${second})
  z_tsb_fetch_collect(result "${run}" "${result}" ${second})
  file(REMOVE_RECURSE "${run}")

  file(WRITE "${TSB_RESULT}.new" "${result}\n")
  file(RENAME "${TSB_RESULT}.new" "${TSB_RESULT}")
  z_tsb_fetch_report(missing "${request}" "${pins}" "${result}" ${begin})
  set(code 0)
  if(missing)
    set(code 1)
  endif()
  set(${out_code} ${code} PARENT_SCOPE)
endfunction()

z_tsb_fetch_all(code)
z_tsb_script_exit(${code})
