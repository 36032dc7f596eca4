# SPDX-License-Identifier: BSD-3-Clause
# Gets the sources of all packages if that is necessary, and writes down which are whose. It runs in every build, since
# it checks what Ninja does not see: whether the source cache and the packages' install trees still exist.
#
#   run cmake -D TSB_BUILD_FOLDER=<folder> -D TSB_PACKAGES=<package;...> -P fetch_packages.cmake
#
# The inputs of the step `sources fetch` are the request, fetch/request.json, with TSB_OFFLINE as it is now, and the
# pins. Its outputs are fetch/result.json, the files in the source cache that this names, and, for each package,
# packages/<package>/sources.json, the entries of its sources. With folders of the user's (TSB_LOCAL_<source>) it always
# runs.
cmake_minimum_required(VERSION 3.25)
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/..")
include("${z_tsb_cmake}/detail/tsb_fail.cmake")
include("${z_tsb_cmake}/model/tsb_read_record.cmake")
include("${z_tsb_cmake}/python/tsb_call_python.cmake")
include("${z_tsb_cmake}/settings/tsb_read_settings.cmake")
include("${z_tsb_cmake}/settings/z_tsb_use_settings.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_fetch_inputs.cmake")
set(TSB_STEPS "${TSB_BUILD_FOLDER}/steps")
set(result_file "${TSB_BUILD_FOLDER}/fetch/result.json")

function(z_tsb_fetch)
  z_tsb_fetch_inputs(inputs "${TSB_BUILD_FOLDER}")
  z_tsb_step_due(due sources fetch "${inputs}")
  tsb_read_record("${TSB_BUILD_FOLDER}/fetch/request.json" request)
  if(due STREQUAL "" AND NOT request_local)
    return()
  endif()
  z_tsb_step_begin(sources fetch)
  set(words "${TSB_BUILD_FOLDER}/fetch/request.json" "${result_file}.new")
  if(TSB_OFFLINE)
    list(APPEND words --offline)
  endif()
  tsb_call_python("${TSB_BUILD_FOLDER}" sources.fetch ${words} STATUS code)
  if(code EQUAL 4)
    tsb_fail() # sources are missing, which it has listed
  elseif(NOT code EQUAL 0)
    tsb_python_failed(sources.fetch "${code}")
  endif()
  file(RENAME "${result_file}.new" "${result_file}")
  tsb_read_record("${result_file}" result)
  set(files "")
  foreach(name IN LISTS result_sources)
    list(APPEND files ${result_sources_${name}_archive})
  endforeach()
  foreach(name IN LISTS request_packages)
    list(APPEND files "${TSB_BUILD_FOLDER}/packages/${name}/sources.json")
  endforeach()
  z_tsb_fetch_inputs(inputs "${TSB_BUILD_FOLDER}")
  z_tsb_step_done(sources fetch "${inputs}" "${result_file}" PRESENT ${files})
endfunction()

z_tsb_use_settings("${TSB_BUILD_FOLDER}")
tsb_check_environment() # once for each build
z_tsb_fetch()
foreach(name IN LISTS TSB_PACKAGES)
  # A new time if the package's install tree is lost, so that Ninja runs the package's phases.
  z_tsb_step_lost(lost ${name} stage)
  if(lost)
    message(STATUS "${name}: ${lost}")
    file(TOUCH_NOCREATE "${TSB_BUILD_FOLDER}/packages/${name}/sources.json")
  endif()
endforeach()
