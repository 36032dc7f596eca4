# SPDX-License-Identifier: BSD-3-Clause
# Phase build: runs Ninja. The number of jobs is decided now, from the memory that is free now.
function(z_tsb_phase_build package)
  z_tsb_json_get(build_system "${package}" build_system)
  if(build_system STREQUAL "none")
    return()
  endif()
  z_tsb_json_get(build_folder "${package}" build_folder)
  file(READ "${build_folder}/settings.json" settings)
  z_tsb_json_get(ninja "${settings}" ninja)
  z_tsb_json_get(per_job "${package}" memory_per_job_mb)
  z_tsb_json_get(link "${package}" link_memory_mb)
  z_tsb_json_get_list(targets "${package}" targets)
  include("${z_tsb_cmake}/jobs/tsb_job_pools.cmake")
  tsb_job_pools(RESULT_JOBS jobs RESULT_LINK_JOBS link_jobs MEMORY_PER_JOB_MB ${per_job} LINK_MEMORY_MB ${link})
  z_tsb_run(
    "${package}"
    build
    RETRY_ALONE
    COMMAND "${ninja}" -C "${TSB_PACKAGE_DIR}/build" -j ${jobs} ${targets}
  )
endfunction()
