# SPDX-License-Identifier: BSD-3-Clause
# Phase build: runs Ninja, or make. The number of jobs is decided now, from the memory that is free now.
include("${z_tsb_cmake}/package/phases/configure/z_tsb_make_tools.cmake")
include("${z_tsb_cmake}/package/z_tsb_package_jobs.cmake")

function(z_tsb_run_make)
  z_tsb_make_tools(make variables)
  foreach(pair IN LISTS package_options)
    z_tsb_expand(pair "${pair}")
    list(APPEND variables "${pair}")
  endforeach()
  z_tsb_package_jobs(jobs link_jobs)
  z_tsb_run(build COMMAND "${make}" -C "${TSB_PACKAGE_DIR}/source" -j ${jobs} ${package_targets} ${variables})
endfunction()

function(z_tsb_phase_build)
  if(package_build_system STREQUAL "none")
    return()
  elseif(package_build_system STREQUAL "make")
    z_tsb_run_make()
    return()
  endif()
  tsb_read_record("${package_build_folder}/settings.json" settings)
  set(step_costs "")
  if(package_step_costs)
    set(step_costs STEP_COSTS "${package_step_costs}")
  endif()
  z_tsb_package_jobs(jobs link_jobs)
  z_tsb_run(
    build RETRY_ALONE ${step_costs} COMMAND "${settings_ninja}" -C "${TSB_PACKAGE_DIR}/build" -j ${jobs}
                                            ${package_targets}
  )
endfunction()
