# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_job_pools
-------------

Say how many compile and link jobs this machine can hold: memory decides, not the number of cores alone. ::

  tsb_job_pools(
    MEMORY_PER_JOB_MB <n>                            # peak memory of one compile of this kind, measured
    RESULT_JOBS <variable>                           # the least of the cores that this process may use, TSB_JOBS, and
                                                     # the jobs that fit into the available memory; at least 1
    [LINK_MEMORY_MB <n> RESULT_LINK_JOBS <variable>] # the same for links
    [FARM <n>]                                       # processors of a compile farm: jobs for them as well; each
                                                     # takes only a preprocessor's memory here
    [RESERVE_MB <n>]                                 # what is left to the rest of the machine: 1024 by default
    [ROOT <folder>])                                 # for tests: see z_tsb_machine

Affinity masks and the limits of control groups (containers) are respected.
#]]
include_guard(GLOBAL)
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_machine.cmake)
# What a job for a farm takes here: g++ -E of PyTorch's largest sources, and the text on its way.
set(Z_TSB_PREPROCESSOR_MB 300)

# z_tsb_count_jobs(<result> <MB of a job>): reads the machine and the arguments of tsb_job_pools().
function(z_tsb_count_jobs result job_mb)
  math(EXPR jobs "${machine_CORES} + ${farm}")
  list(APPEND jobs ${TSB_JOBS})
  if(NOT machine_AVAILABLE_MB STREQUAL "" AND job_mb GREATER 0)
    math(EXPR fit "(${machine_AVAILABLE_MB} - ${arg_RESERVE_MB}) / ${job_mb}")
    list(APPEND jobs ${fit})
  endif()
  list(SORT jobs COMPARE NATURAL)
  list(GET jobs 0 least)
  if(least LESS 1)
    set(least 1)
  endif()
  set(${result} ${least} PARENT_SCOPE)
endfunction()

function(tsb_job_pools)
  cmake_parse_arguments(
    PARSE_ARGV 0 arg "" "MEMORY_PER_JOB_MB;FARM;RESULT_JOBS;LINK_MEMORY_MB;RESULT_LINK_JOBS;RESERVE_MB;ROOT" ""
  )
  if(NOT DEFINED arg_RESERVE_MB)
    set(arg_RESERVE_MB 1024)
  endif()
  z_tsb_machine(machine "${arg_ROOT}")
  set(farm 0)
  if(arg_FARM)
    set(farm ${arg_FARM})
    if(arg_MEMORY_PER_JOB_MB GREATER Z_TSB_PREPROCESSOR_MB)
      set(arg_MEMORY_PER_JOB_MB ${Z_TSB_PREPROCESSOR_MB})
    endif()
  endif()
  z_tsb_count_jobs(jobs "${arg_MEMORY_PER_JOB_MB}")
  set(farm 0)
  set(${arg_RESULT_JOBS} ${jobs} PARENT_SCOPE)
  if(DEFINED arg_RESULT_LINK_JOBS)
    z_tsb_count_jobs(jobs "${arg_LINK_MEMORY_MB}")
    set(${arg_RESULT_LINK_JOBS} ${jobs} PARENT_SCOPE)
  endif()
endfunction()
