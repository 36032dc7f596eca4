# SPDX-License-Identifier: BSD-3-Clause
# How many jobs fit. Reads nothing: the numbers are given.
#
#   z_tsb_count_jobs(<result> CORES <n> JOB_MB <n> [AVAILABLE_MB <n>] [RESERVE_MB <n>] [WANTED <n>])
#
# At least 1, at most CORES, WANTED and what AVAILABLE_MB less RESERVE_MB holds; one that is not given does not limit.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25)

function(z_tsb_count_jobs result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CORES;AVAILABLE_MB;RESERVE_MB;JOB_MB;WANTED" "")
  set(jobs ${arg_CORES})
  if(DEFINED arg_WANTED AND arg_WANTED LESS jobs)
    set(jobs ${arg_WANTED})
  endif()
  if(DEFINED arg_AVAILABLE_MB AND arg_JOB_MB GREATER 0)
    if(NOT DEFINED arg_RESERVE_MB)
      set(arg_RESERVE_MB 0)
    endif()
    math(EXPR fit "(${arg_AVAILABLE_MB} - ${arg_RESERVE_MB}) / ${arg_JOB_MB}")
    if(fit LESS jobs)
      set(jobs ${fit})
    endif()
  endif()
  if(jobs LESS 1)
    set(jobs 1)
  endif()
  set(${result} ${jobs} PARENT_SCOPE)
endfunction()
