# SPDX-License-Identifier: BSD-3-Clause
# How many jobs fit into a machine of files, and the wish of TSB_JOBS.
include(${TSB_SOURCE_DIR}/cmake/jobs/tsb_job_pools.cmake)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)

# check(<what> <jobs> <jobs for links> <last core> <MB available, or nothing> <MB per job> [<TSB_JOBS> [<farm>]])
function(check what jobs link_jobs last_core available_mb job_mb)
  file(REMOVE_RECURSE ${TSB_TEST_DIR}/machine)
  file(WRITE ${TSB_TEST_DIR}/machine/proc/self/status "Cpus_allowed_list:\t0-${last_core}\n")
  if(available_mb)
    math(EXPR kb "${available_mb} * 1024")
    file(WRITE ${TSB_TEST_DIR}/machine/proc/meminfo "MemAvailable:   ${kb} kB\n")
  endif()
  set(TSB_JOBS "${ARGV6}")
  tsb_job_pools(
    FARM "${ARGV7}"
    ROOT ${TSB_TEST_DIR}/machine
    MEMORY_PER_JOB_MB ${job_mb}
    RESULT_JOBS found
    LINK_MEMORY_MB 4000
    RESULT_LINK_JOBS link_found
  )
  tsb_expect("${what}" EQUAL "${found} and ${link_found}" "${jobs} and ${link_jobs}")
endfunction()
check("cores alone" 16 16 15 "" 1000)
check("memory decides" 7 1 15 8900 1000)
check("plenty of memory" 2 2 1 24000 1600)
check("less than one fits" 1 1 15 2000 4000)
check("less than the reserve" 1 1 15 500 4000)
check("the wish is less" 3 3 15 90000 1000 3)
check("the wish is more than the cores" 4 4 3 90000 1000 9)
check("the wish as a number, not as text" 9 9 15 90000 1000 9)
check("a farm" 80 16 15 90000 1000 "" 64)
check("a farm, little memory" 26 1 15 9000 1800 "" 64)
check("a farm, small jobs" 17 1 15 4500 200 "" 64)
check("a farm, the wish is less" 20 16 15 90000 1000 20 64)
