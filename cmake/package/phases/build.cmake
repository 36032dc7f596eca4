# SPDX-License-Identifier: BSD-3-Clause
# Phase build: runs Ninja, or make. The number of jobs is decided now, from the memory that is free now.
include("${z_tsb_cmake}/package/z_tsb_make_tools.cmake")
include("${z_tsb_cmake}/package/z_tsb_package_jobs.cmake")

function(z_tsb_run_make package)
  z_tsb_make_tools(make variables "${package}")
  z_tsb_json_get_list(pairs "${package}" options)
  foreach(pair IN LISTS pairs)
    z_tsb_expand(pair "${pair}")
    list(APPEND variables "${pair}")
  endforeach()
  z_tsb_json_get_list(targets "${package}" targets)
  z_tsb_package_jobs(jobs link_jobs "${package}")
  z_tsb_run(
    "${package}"
    build
    COMMAND "${make}" -C "${TSB_PACKAGE_DIR}/source" -j ${jobs} ${targets} ${variables}
  )
endfunction()

function(z_tsb_phase_build package)
  z_tsb_json_get(build_system "${package}" build_system)
  if(build_system STREQUAL "none")
    return()
  elseif(build_system STREQUAL "make")
    z_tsb_run_make("${package}")
    return()
  endif()
  z_tsb_json_get(build_folder "${package}" build_folder)
  file(READ "${build_folder}/settings.json" settings)
  z_tsb_json_get(ninja "${settings}" ninja)
  z_tsb_json_get_list(targets "${package}" targets)
  z_tsb_json_get(step_costs "${package}" step_costs)
  if(NOT step_costs STREQUAL "")
    set(step_costs STEP_COSTS "${step_costs}")
  endif()
  z_tsb_package_jobs(jobs link_jobs "${package}")
  z_tsb_run(
    "${package}"
    build
    RETRY_ALONE
    ${step_costs}
    COMMAND "${ninja}" -C "${TSB_PACKAGE_DIR}/build" -j ${jobs} ${targets}
  )
endfunction()
