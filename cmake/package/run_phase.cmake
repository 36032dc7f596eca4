# SPDX-License-Identifier: BSD-3-Clause
# Runs one phase of one package, or finds that it is up to date.
#
#   sh run_script.sh cmake -D TSB_PACKAGE_DIR=<folder> -D TSB_PHASE=<phase> -P run_phase.cmake
#
# <folder>/package.json   the declaration, written when the superbuild is configured
# <folder>/sources.json   what fetch found for it
# <folder>/state/         inputs of the last good run of each phase; unpacked.json: the sources that source/ was made of
# <folder>/state/stored/  the same for an install tree that was taken out of the store
# <folder>/machine.json   where on this machine it lies, for a package with MACHINE
# <folder>/log/           a log for each phase
# <folder>/source, build, install, licenses, manifest.json
#
# state/patch.json describes source/, state/configure.json and state/build.json build/, and state/stage.json or
# state/stored/ install/. So a package from the store leaves what was built here alone, and the next change of an
# option goes on from there.
cmake_minimum_required(VERSION 3.25)
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/..")
include("${z_tsb_cmake}/detail/tsb_fail.cmake")
include("${z_tsb_cmake}/detail/tsb_progress.cmake")
include("${z_tsb_cmake}/detail/z_tsb_write_file.cmake")
include("${z_tsb_cmake}/lock/tsb_lock.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_collect_licenses.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_phase_inputs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_run.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_store.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/phases/${TSB_PHASE}.cmake")

# The inputs of the phase's last good run, empty when there was none.
function(z_tsb_recorded_inputs out file)
  set(recorded "")
  if(EXISTS "${file}")
    file(READ "${file}" recorded)
  endif()
  set(${out} "${recorded}" PARENT_SCOPE)
endfunction()

# Asked as soon as something is known, and again when the phase is up to date: what the gate finds is mostly corrected in
# declarations, and nothing need be unpacked or configured anew for that.
function(z_tsb_ask_licence_gate package)
  if(NOT IS_DIRECTORY "${TSB_PACKAGE_DIR}/source")
    return()
  elseif(TSB_PHASE STREQUAL "patch")
    z_tsb_collect_licenses("${package}")
  elseif(TSB_PHASE STREQUAL "configure")
    z_tsb_collect_licenses("${package}" CONFIGURED)
  endif()
endfunction()

function(z_tsb_run_phase)
  set(state "${TSB_PACKAGE_DIR}/state")
  file(READ "${TSB_PACKAGE_DIR}/package.json" package)
  z_tsb_json_take(package name build_folder)
  tsb_progress("${name} ${TSB_PHASE}")
  tsb_lock(DIRECTORY "${build_folder}")
  if(NOT "$ENV{TSB_JOBS}" MATCHES "^([1-9][0-9]*)?$")
    tsb_fail("TSB_JOBS is \"$ENV{TSB_JOBS}\", but must be a positive integer" "correct it or unset it")
  endif()

  if(TSB_PHASE STREQUAL "fetch")
    # fetch alone decides what the sources are, so its inputs are known only afterwards.
    z_tsb_phase_fetch("${package}")
    z_tsb_phase_inputs(inputs "${TSB_PACKAGE_DIR}" fetch)
    z_tsb_write_file("${state}/fetch.json" "${inputs}")
    return()
  endif()

  z_tsb_package_left_out(missing "${TSB_PACKAGE_DIR}")
  if(missing)
    file(REMOVE_RECURSE "${TSB_PACKAGE_DIR}/install" "${TSB_PACKAGE_DIR}/licenses" "${state}/stored")
    file(REMOVE "${state}/stage.json" "${TSB_PACKAGE_DIR}/manifest.json")
    return()
  endif()
  z_tsb_recorded_inputs(recorded "${state}/stored/stage.json")
  if(NOT recorded STREQUAL "")
    z_tsb_phase_inputs(inputs "${TSB_PACKAGE_DIR}" stage)
    if(recorded STREQUAL inputs)
      return()
    endif()
  endif()
  z_tsb_phase_inputs(inputs "${TSB_PACKAGE_DIR}" ${TSB_PHASE})
  z_tsb_recorded_inputs(recorded "${state}/${TSB_PHASE}.json")
  z_tsb_json_take(package machine)
  set(moved FALSE)
  if(machine AND TSB_PHASE STREQUAL "stage")
    z_tsb_recorded_inputs(laid_out "${TSB_PACKAGE_DIR}/machine.json")
    if(NOT laid_out STREQUAL machine)
      set(moved TRUE)
    endif()
  endif()
  if(recorded STREQUAL inputs AND NOT moved)
    z_tsb_ask_licence_gate("${package}")
    return()
  endif()

  # What this machine has is of no use on another one.
  if(NOT machine)
    z_tsb_store_restore(restored "${package}")
    if(restored)
      return()
    endif()
  endif()
  # An earlier phase runs again, so nothing that was made after it counts any more.
  list(FIND TSB_PHASES ${TSB_PHASE} index)
  list(SUBLIST TSB_PHASES ${index} -1 stale)
  file(REMOVE_RECURSE "${state}/stored")
  foreach(phase IN LISTS stale)
    file(REMOVE "${state}/${phase}.json")
  endforeach()
  message(STATUS "${name} ${TSB_PHASE}")
  cmake_language(CALL z_tsb_phase_${TSB_PHASE} "${package}")
  z_tsb_write_file("${state}/${TSB_PHASE}.json" "${inputs}")
  z_tsb_ask_licence_gate("${package}")
endfunction()

z_tsb_run_phase()
