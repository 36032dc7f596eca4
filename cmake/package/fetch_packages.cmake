# SPDX-License-Identifier: BSD-3-Clause
# Gets the sources of all packages if that is necessary, and writes down which are whose. It runs in every build, since
# it checks what Ninja does not see: whether the source cache and the packages' install trees still exist.
#
#   run_script.py cmake -D TSB_BUILD_FOLDER=<folder> -D TSB_PACKAGES=<package;...> -P fetch_packages.cmake
#
# The inputs of the step `sources fetch` are the request, fetch/request.json, with TSB_OFFLINE as it is now, and the
# pins. Its outputs are fetch/result.json and the files in the source cache that this names. With folders of the user's
# (TSB_LOCAL_<source>) it always runs.
cmake_minimum_required(VERSION 3.25)
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/..")
include("${z_tsb_cmake}/detail/tsb_fail.cmake")
include("${z_tsb_cmake}/lock/tsb_lock.cmake")
include("${z_tsb_cmake}/model/tsb_read_record.cmake")
include("${z_tsb_cmake}/settings/tsb_read_settings.cmake")
include("${z_tsb_cmake}/settings/z_tsb_use_settings.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_fetch_inputs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_sources.cmake")
set(TSB_STEPS "${TSB_BUILD_FOLDER}/steps")
set(result_file "${TSB_BUILD_FOLDER}/fetch/result.json")

function(z_tsb_fetch)
  z_tsb_fetch_inputs(inputs "${TSB_BUILD_FOLDER}")
  z_tsb_step_due(due sources fetch "${inputs}")
  file(READ "${TSB_BUILD_FOLDER}/fetch/request.json" request)
  string(JSON folders LENGTH "${request}" local)
  if(due STREQUAL "" AND folders EQUAL 0)
    return()
  endif()
  z_tsb_step_begin(sources fetch)
  set(words --request "${TSB_BUILD_FOLDER}/fetch/request.json" --result "${result_file}.new")
  if(TSB_OFFLINE)
    list(APPEND words --offline)
  endif()
  z_tsb_sources(code "${TSB_BUILD_FOLDER}" fetch ${words})
  if(NOT code EQUAL 0)
    tsb_fail()
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
  tsb_read_record("${folder}/package.json" package)
  file(READ "${result_file}" result)
  set(sources "{}")
  foreach(source IN LISTS package_all_sources)
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

z_tsb_use_settings("${TSB_BUILD_FOLDER}")
tsb_check_environment() # once for each build
tsb_lock(DIRECTORY "${TSB_BUILD_FOLDER}")
z_tsb_fetch()
foreach(name IN LISTS TSB_PACKAGES)
  z_tsb_write_package_sources(${name})
endforeach()
