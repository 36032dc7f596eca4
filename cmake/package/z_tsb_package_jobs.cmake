# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../jobs/tsb_job_pools.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_read_record.cmake)

# z_tsb_package_jobs(<out-var for compiles> <out-var for links> [<out-var for heavy compiles>])
#
# How many jobs of this package the machine, and a compile farm, can hold now, from what its declaration says about
# their memory. Heavy sources (HEAVY_SOURCES) get half of the memory; the compiles as a whole then share what the heavy
# ones leave.
function(z_tsb_package_jobs out_jobs out_link_jobs)
  tsb_read_record("${package_build_folder}/settings.json" settings)
  tsb_job_pools(
    FARM "${settings_farm_processors}"
    RESULT_JOBS jobs
    RESULT_LINK_JOBS link_jobs
    MEMORY_PER_JOB_MB ${package_memory_per_job_mb}
    LINK_MEMORY_MB ${package_link_memory_mb}
  )
  set(heavy_jobs 0)
  if(package_heavy_sources)
    math(EXPR double "2 * ${package_heavy_memory_per_job_mb}")
    tsb_job_pools(RESULT_JOBS heavy_jobs MEMORY_PER_JOB_MB ${double})
    math(EXPR reserve "1024 + ${heavy_jobs} * (${package_heavy_memory_per_job_mb} - ${package_memory_per_job_mb})")
    tsb_job_pools(
      FARM "${settings_farm_processors}"
      RESULT_JOBS jobs
      MEMORY_PER_JOB_MB ${package_memory_per_job_mb}
      RESERVE_MB ${reserve}
    )
  endif()
  if(ARGN)
    set(${ARGN} "${heavy_jobs}" PARENT_SCOPE)
  endif()
  set(${out_jobs} "${jobs}" PARENT_SCOPE)
  set(${out_link_jobs} "${link_jobs}" PARENT_SCOPE)
endfunction()
