# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../jobs/tsb_job_pools.cmake)

# z_tsb_package_jobs(<out-var for compiles> <out-var for links> <package json>)
#
# How many jobs of this package the machine can hold now, from what its declaration says of their memory.
function(z_tsb_package_jobs out_jobs out_link_jobs package)
  z_tsb_json_get(per_job "${package}" memory_per_job_mb)
  z_tsb_json_get(link "${package}" link_memory_mb)
  tsb_job_pools(RESULT_JOBS jobs RESULT_LINK_JOBS link_jobs MEMORY_PER_JOB_MB ${per_job} LINK_MEMORY_MB ${link})
  set(${out_jobs} "${jobs}" PARENT_SCOPE)
  set(${out_link_jobs} "${link_jobs}" PARENT_SCOPE)
endfunction()
