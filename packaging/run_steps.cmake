# SPDX-License-Identifier: BSD-3-Clause
# Runs those steps of artifacts that are not up to date (tsb_step.cmake).
#
#   run cmake -D TSB_BUILD_FOLDER=<folder> -D TSB_ARTIFACTS=<artifact;...> -D TSB_RUN=<step;...>
#     -P run_steps.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../cmake/detail/tsb_fail.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../cmake/detail/tsb_progress.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../cmake/settings/z_tsb_use_settings.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_artifact_steps.cmake")

# Which step has to come before another, and how to run it.
set(before_check_stage stage)
set(before_pack stage)
set(before_statement pack)
set(before_check pack)
set(before_consumer pack)
set(state_after_stage staged)
set(state_after_pack packed)
set(remedy_stage "build first: cmake --build \"${TSB_BUILD_FOLDER}\"")
set(remedy_pack "pack first: cpack --config \"${TSB_BUILD_FOLDER}/CPackConfig.cmake\"")

z_tsb_use_settings("${TSB_BUILD_FOLDER}")
foreach(name IN LISTS TSB_ARTIFACTS)
  z_tsb_read_artifact(${name})
  foreach(step IN LISTS TSB_RUN)
    tsb_progress("${name} ${step}")
    set(before "${before_${step}}")
    if(before AND NOT EXISTS "${TSB_STEPS}/${name}/${before}.json")
      tsb_fail("${name} is not ${state_after_${before}}" "${remedy_${before}}")
    endif()
    z_tsb_artifact_inputs(inputs ${step})
    tsb_step(ran "${name}" ${step} INPUTS "${inputs}" OUTPUTS ${outputs_of_${step}} COMMAND z_tsb_run_${step})
    if(NOT ran)
      message(STATUS "${name} ${step}: up to date")
    endif()
  endforeach()
endforeach()
if("deliver" IN_LIST TSB_RUN)
  z_tsb_print_summary("${TSB_BUILD_FOLDER}" ${TSB_ARTIFACTS})
endif()
