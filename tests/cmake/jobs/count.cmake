# SPDX-License-Identifier: BSD-3-Clause
include(${TSB_SOURCE_DIR}/cmake/jobs/detail/z_tsb_count_jobs.cmake)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
function(check what expected)
  z_tsb_count_jobs(jobs ${ARGN})
  tsb_expect("${what}" EQUAL "${jobs}" "${expected}")
endfunction()
check(
  "cores alone"
  16
  CORES
  16
  JOB_MB
  1000
)
check(
  "memory decides"
  7
  CORES
  16
  JOB_MB
  1000
  AVAILABLE_MB
  8900
  RESERVE_MB
  1024
)
check(
  "memory without a reserve"
  8
  CORES
  16
  JOB_MB
  1000
  AVAILABLE_MB
  8900
)
check(
  "plenty of memory"
  2
  CORES
  2
  JOB_MB
  1600
  AVAILABLE_MB
  24000
  RESERVE_MB
  1024
)
check(
  "less than one fits"
  1
  CORES
  16
  JOB_MB
  4000
  AVAILABLE_MB
  2000
  RESERVE_MB
  1024
)
check(
  "less than the reserve"
  1
  CORES
  16
  JOB_MB
  4000
  AVAILABLE_MB
  500
  RESERVE_MB
  1024
)
check(
  "the wish is less"
  3
  CORES
  16
  JOB_MB
  1000
  AVAILABLE_MB
  90000
  WANTED
  3
)
check(
  "the wish is more than the cores"
  4
  CORES
  4
  JOB_MB
  1000
  AVAILABLE_MB
  90000
  WANTED
  9
)
check(
  "the wish is more than the memory"
  2
  CORES
  16
  JOB_MB
  1000
  AVAILABLE_MB
  2500
  WANTED
  9
)
