# SPDX-License-Identifier: BSD-3-Clause
# Gets the sources of all packages if that is necessary, and writes down which are whose. It runs in every build, since
# it checks what Ninja does not see: whether the source cache and the packages' install trees still exist.
#
#   sh run_script.sh cmake -D TSB_BUILD_FOLDER=<folder> -D TSB_PACKAGES=<package;...> -P fetch_packages.cmake
#
# The inputs of the step `sources fetch` are the request, fetch/request.json, with TSB_OFFLINE as it is now, and the
# pins. Its outputs are fetch/result.json and the files in the source cache that this names. With folders of the user's
# (TSB_LOCAL_<source>) it always runs.
cmake_minimum_required(VERSION 3.25)
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/..")
include("${z_tsb_cmake}/detail/tsb_fail.cmake")
include("${z_tsb_cmake}/lock/tsb_lock.cmake")
include("${z_tsb_cmake}/detail/z_tsb_script_exit.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_fetch_inputs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_sources.cmake")
set(TSB_STEPS "${TSB_BUILD_FOLDER}/steps")
set(result_file "${TSB_BUILD_FOLDER}/fetch/result.json")

# z_tsb_fetch(<out-var>): the exit code of `cmake/sources fetch`.
function(z_tsb_fetch out)
  set(${out} 0 PARENT_SCOPE)
  z_tsb_fetch_inputs(inputs "${TSB_BUILD_FOLDER}")
  z_tsb_step_due(due sources fetch "${inputs}")
  file(READ "${TSB_BUILD_FOLDER}/fetch/request.json" request)
  string(JSON folders LENGTH "${request}" local)
  if(due STREQUAL "" AND folders EQUAL 0)
    return()
  endif()
  z_tsb_step_begin(sources fetch)
  set(words --request "${TSB_BUILD_FOLDER}/fetch/request.json" --result "${result_file}.new")
  z_tsb_offline(offline)
  if(offline)
    list(APPEND words --offline)
  endif()
  z_tsb_sources(code "${TSB_BUILD_FOLDER}" fetch ${words})
  set(${out} "${code}" PARENT_SCOPE)
  if(NOT code EQUAL 0)
    return()
  endif()
  file(RENAME "${result_file}.new" "${result_file}")
  file(READ "${result_file}" result)
  z_tsb_json_members(names "${result}" sources)
  set(archives "")
  foreach(name IN LISTS names)
    z_tsb_json_get(archive "${result}" sources "${name}" archive)
    if(archive)
      list(APPEND archives "${archive}")
    endif()
  endforeach()
  z_tsb_fetch_inputs(inputs "${TSB_BUILD_FOLDER}")
  z_tsb_step_done(sources fetch "${inputs}" "${result_file}" PRESENT ${archives})
endfunction()

# Writes packages/<package>/sources.json. It gets a new time if the package's install tree is lost, so that Ninja runs
# the package's phases.
function(z_tsb_write_package_sources name)
  set(folder "${TSB_BUILD_FOLDER}/packages/${name}")
  file(READ "${folder}/package.json" package)
  file(READ "${result_file}" result)
  z_tsb_json_get_list(names "${package}" all_sources)
  set(sources "{}")
  foreach(source IN LISTS names)
    z_tsb_json_get(entry "${result}" sources "${source}")
    if(NOT entry STREQUAL "") # a submodule of a source tree that is complete by itself has none
      string(JSON sources SET "${sources}" "${source}" "${entry}")
    endif()
  endforeach()
  z_tsb_write_file("${folder}/sources.json" "${sources}")
  z_tsb_step_lost(lost "${name}" stage)
  if(lost)
    message(STATUS "${name}: ${lost}")
    file(TOUCH_NOCREATE "${folder}/sources.json")
  endif()
endfunction()

tsb_lock(DIRECTORY "${TSB_BUILD_FOLDER}")
z_tsb_fetch(code)
if(code EQUAL 0)
  foreach(name IN LISTS TSB_PACKAGES)
    z_tsb_write_package_sources(${name})
  endforeach()
endif()
z_tsb_script_exit(${code})
