# SPDX-License-Identifier: BSD-3-Clause
include(${TSB_SOURCE_DIR}/cmake/jobs/tsb_job_pools.cmake)
tsb_job_pools(MEMORY_PER_JOB_MB 1 RESULT_JOBS jobs)
