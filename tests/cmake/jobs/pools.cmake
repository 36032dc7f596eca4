# SPDX-License-Identifier: BSD-3-Clause
# This machine: whatever it has, the wish of TSB_JOBS is kept, and a job that is too big for it runs alone.
include(${TSB_SOURCE_DIR}/cmake/jobs/tsb_job_pools.cmake)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
tsb_job_pools(
  MEMORY_PER_JOB_MB 1
  RESULT_JOBS jobs
  LINK_MEMORY_MB 99999999
  RESULT_LINK_JOBS link_jobs
  RESULT_REASON reason
)
z_tsb_machine(machine)
tsb_expect("link jobs" EQUAL ${link_jobs} 1)
if("$ENV{TSB_JOBS}" STREQUAL "")
  tsb_expect("jobs" EQUAL ${jobs} ${machine_CORES})
else()
  tsb_expect("jobs" EQUAL ${jobs} "$ENV{TSB_JOBS}")
  tsb_expect("the reason" CONTAINS "${reason}" "TSB_JOBS: $ENV{TSB_JOBS}")
endif()
tsb_expect("the reason" CONTAINS "${reason}" "${jobs} at once (cores: ${machine_CORES}")
