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
    [RESERVE_MB <n>]                                 # what is left to the rest of the machine: 1024 by default
    [RESULT_REASON <variable>])                      # "2 at once (cores: 2, memory: 22904 MB at 1600 MB per job)"

Affinity masks and the limits of control groups (containers) are respected. Fails when ``TSB_JOBS`` is not a positive
integer.
#]]
include_guard(GLOBAL)
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_count_jobs.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/detail/z_tsb_machine.cmake)

function(tsb_job_pools)
  cmake_parse_arguments(
    PARSE_ARGV 0 arg "" "MEMORY_PER_JOB_MB;RESULT_JOBS;LINK_MEMORY_MB;RESULT_LINK_JOBS;RESERVE_MB;RESULT_REASON" ""
  )
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tsb_job_pools: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(name IN ITEMS MEMORY_PER_JOB_MB RESULT_JOBS)
    if(NOT DEFINED arg_${name})
      message(FATAL_ERROR "tsb_job_pools: ${name} is missing")
    endif()
  endforeach()
  if(DEFINED arg_RESULT_LINK_JOBS AND NOT DEFINED arg_LINK_MEMORY_MB)
    message(FATAL_ERROR "tsb_job_pools: RESULT_LINK_JOBS needs LINK_MEMORY_MB")
  endif()
  if(NOT DEFINED arg_RESERVE_MB)
    set(arg_RESERVE_MB 1024)
  endif()

  set(wanted "$ENV{TSB_JOBS}")
  if(NOT wanted MATCHES "^([1-9][0-9]*)?$")
    message(FATAL_ERROR "TSB_JOBS is \"${wanted}\", but must be a positive integer: correct it or unset it")
  endif()
  z_tsb_machine(machine)
  set(limits CORES ${machine_CORES} RESERVE_MB ${arg_RESERVE_MB})
  if(NOT machine_AVAILABLE_MB STREQUAL "")
    list(APPEND limits AVAILABLE_MB ${machine_AVAILABLE_MB})
  endif()
  if(NOT wanted STREQUAL "")
    list(APPEND limits WANTED ${wanted})
  endif()
  z_tsb_count_jobs(jobs ${limits} JOB_MB ${arg_MEMORY_PER_JOB_MB})
  set(${arg_RESULT_JOBS} ${jobs} PARENT_SCOPE)
  if(DEFINED arg_RESULT_LINK_JOBS)
    z_tsb_count_jobs(link_jobs ${limits} JOB_MB ${arg_LINK_MEMORY_MB})
    set(${arg_RESULT_LINK_JOBS} ${link_jobs} PARENT_SCOPE)
  endif()
  if(DEFINED arg_RESULT_REASON)
    set(reason "cores: ${machine_CORES}")
    if(NOT wanted STREQUAL "")
      string(APPEND reason ", TSB_JOBS: ${wanted}")
    endif()
    if(NOT machine_AVAILABLE_MB STREQUAL "")
      string(APPEND reason ", memory: ${machine_AVAILABLE_MB} MB at ${arg_MEMORY_PER_JOB_MB} MB per job")
    endif()
    set(${arg_RESULT_REASON} "${jobs} at once (${reason})" PARENT_SCOPE)
  endif()
endfunction()
