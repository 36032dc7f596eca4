# SPDX-License-Identifier: BSD-3-Clause
# Runs those phases of a package, up to the given one, that are not up to date. Each is a step (tsb_step.cmake).
#
#   run cmake -D TSB_PACKAGE_DIR=<folder> -P run_phases.cmake -- <phase>
#
# <folder>/package.json   the declaration, written when the superbuild is configured
# <folder>/sources.json   what fetch found for it
# <folder>/machine.json   where on this machine it lies, for a package with MACHINE
# <folder>/log/           a log for each phase
# <folder>/source, build, install, licenses, manifest.json
#
# The stamp of patch describes source/, those of configure and build describe build/, and that of stage describes
# install/, which may come from the store. If stage is up to date, the earlier phases need not be: a package from the
# store leaves what was built here alone, and the next change of an option continues from there.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_phase_tools.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_run_patch_scripts.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_store.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/phases/patch/patch.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/phases/build/build.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/phases/stage/stage.cmake")
math(EXPR last "${CMAKE_ARGC} - 1")
set(TSB_PHASE "${CMAKE_ARGV${last}}")
# A compiler names a header by its real path where that is shorter, and its working folder too. With no link in the
# package's folder, all that is recorded, compared or mapped to another name has one name. (To get a folder above it,
# take DIRECTORY: ABSOLUTE puts the link back into a path below PWD.)
get_filename_component(z_tsb_name "${TSB_PACKAGE_DIR}" NAME)
get_filename_component(z_tsb_build_folder "${TSB_PACKAGE_DIR}/../.." ABSOLUTE)
get_filename_component(z_tsb_build_folder "${z_tsb_build_folder}" REALPATH)
set(TSB_PACKAGE_DIR "${z_tsb_build_folder}/packages/${z_tsb_name}")
set(TSB_STEPS "${z_tsb_build_folder}/steps")
set(outputs_of_patch "${TSB_PACKAGE_DIR}/source")
set(outputs_of_configure "${TSB_PACKAGE_DIR}/build")
set(outputs_of_build "${TSB_PACKAGE_DIR}/build")
set(outputs_of_stage "${TSB_PACKAGE_DIR}/install" "${TSB_PACKAGE_DIR}/manifest.json")

# Asked as soon as something is known, and again when the phase is up to date: what the gate finds is mostly corrected
# in declarations, and nothing need be unpacked or configured anew for that.
function(z_tsb_ask_licence_gate phase)
  if(phase STREQUAL "patch")
    z_tsb_collect_licenses()
  elseif(phase STREQUAL "configure")
    z_tsb_collect_licenses(CONFIGURED)
  endif()
endfunction()

function(z_tsb_run_phase phase name)
  # Nothing that was made after it counts any more.
  list(FIND TSB_PHASES ${phase} index)
  list(SUBLIST TSB_PHASES ${index} -1 stale)
  z_tsb_step_begin("${name}" ${stale})
  message(STATUS "${name} ${phase}")
  tsb_progress("${name} ${phase}")
  string(TIMESTAMP begin "%s")
  cmake_language(CALL z_tsb_phase_${phase})
  if(phase STREQUAL "patch")
    z_tsb_run_patch_scripts()
  endif()
  string(TIMESTAMP end "%s")
  math(EXPR seconds "${end} - ${begin}")
  if(seconds GREATER 1)
    message(STATUS "${name} ${phase} done in ${seconds} s")
  endif()
  z_tsb_step_done("${name}" ${phase} "${inputs_${phase}}" ${outputs_of_${phase}})
endfunction()

function(z_tsb_run_phases)
  tsb_read_record("${TSB_PACKAGE_DIR}/package.json" package)
  tsb_progress("${package_name} ${TSB_PHASE}")
  z_tsb_use_settings("${package_build_folder}")
  z_tsb_package_left_out(missing "${TSB_PACKAGE_DIR}")
  if(missing)
    z_tsb_step_begin("${package_name}" stage)
    file(REMOVE_RECURSE "${TSB_PACKAGE_DIR}/install" "${TSB_PACKAGE_DIR}/licenses")
    file(REMOVE "${TSB_PACKAGE_DIR}/manifest.json")
    set(inputs "")
    z_tsb_step_value(inputs "left out" "${missing}")
    z_tsb_step_done("${package_name}" stage "${inputs}")
    return()
  endif()

  z_tsb_phase_inputs(inputs "${TSB_PACKAGE_DIR}")
  z_tsb_add_machine_input(inputs_stage)
  z_tsb_step_due(stage_due "${package_name}" stage "${inputs_stage}")
  set(restored "")
  foreach(phase IN ITEMS patch configure build stage)
    z_tsb_step_due(due "${package_name}" ${phase} "${inputs_${phase}}")
    if(due AND stage_due)
      if(restored STREQUAL "")
        z_tsb_store_restore(restored)
        if(restored)
          z_tsb_step_done("${package_name}" stage "${inputs_stage}" ${outputs_of_stage})
          return()
        endif()
      endif()
      z_tsb_run_phase(${phase} "${package_name}")
    endif()
    if(stage_due OR NOT due)
      z_tsb_ask_licence_gate(${phase})
    endif()
    if(phase STREQUAL TSB_PHASE)
      return()
    endif()
  endforeach()
endfunction()

z_tsb_run_phases()
