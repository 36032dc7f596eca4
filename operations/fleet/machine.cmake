# SPDX-License-Identifier: BSD-3-Clause
# Prints how many compilers this machine can hold, as PyTorch's package counts them, and the free MB: "8 29412".
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/jobs/tsb_job_pools.cmake)
set(TSB_JOBS "$ENV{TSB_JOBS}")
tsb_job_pools(MEMORY_PER_JOB_MB 1800 RESULT_JOBS jobs)
z_tsb_machine(machine "")
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${jobs} ${machine_AVAILABLE_MB}")
