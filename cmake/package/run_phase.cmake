# SPDX-License-Identifier: BSD-3-Clause
# Runs one phase of one package, or finds that it is up to date.
#
#   sh run_script.sh cmake -D TSB_PACKAGE_DIR=<folder> -D TSB_PHASE=<phase> -P run_phase.cmake
#
# <folder>/package.json   the declaration, written when the superbuild is configured
# <folder>/sources.json   what fetch found for it
# <folder>/state/         inputs of the last good run of each phase
# <folder>/log/           a log for each phase
# <folder>/source, build, install, licenses, manifest.json
cmake_minimum_required(VERSION 3.25)
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/..")
include("${z_tsb_cmake}/detail/tsb_fail.cmake")
include("${z_tsb_cmake}/detail/z_tsb_write_file.cmake")
include("${z_tsb_cmake}/lock/tsb_lock.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_phase_inputs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_run.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_store.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/phases/${TSB_PHASE}.cmake")

function(z_tsb_run_phase)
  set(state "${TSB_PACKAGE_DIR}/state/${TSB_PHASE}.json")
  file(READ "${TSB_PACKAGE_DIR}/package.json" package)
  z_tsb_json_get(name "${package}" name)
  z_tsb_json_get(build_folder "${package}" build_folder)
  tsb_lock(DIRECTORY "${build_folder}")

  if(TSB_PHASE STREQUAL "fetch")
    # fetch alone decides what the sources are, so its inputs are known only afterwards.
    z_tsb_phase_fetch("${package}")
  endif()
  z_tsb_phase_inputs(inputs "${TSB_PACKAGE_DIR}" ${TSB_PHASE})
  if(EXISTS "${state}")
    file(READ "${state}" recorded)
    if(recorded STREQUAL inputs)
      return()
    endif()
  endif()
  if(TSB_PHASE STREQUAL "fetch")
    z_tsb_write_file("${state}" "${inputs}")
    return()
  endif()

  # An earlier phase runs again, so nothing that was made after it counts any more.
  list(FIND TSB_PHASES ${TSB_PHASE} index)
  list(SUBLIST TSB_PHASES ${index} -1 stale)
  foreach(phase IN LISTS stale)
    file(REMOVE "${TSB_PACKAGE_DIR}/state/${phase}.json")
  endforeach()
  if(TSB_PHASE STREQUAL "patch")
    z_tsb_store_restore(restored "${package}")
    if(restored)
      return()
    endif()
  endif()
  message(STATUS "${name} ${TSB_PHASE}")
  cmake_language(CALL z_tsb_phase_${TSB_PHASE} "${package}")
  z_tsb_write_file("${state}" "${inputs}")
endfunction()

z_tsb_run_phase()
