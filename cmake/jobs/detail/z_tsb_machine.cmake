# SPDX-License-Identifier: BSD-3-Clause
# What this process may use of the machine.
#
#   z_tsb_machine(<prefix> <root>)
#
# Sets <prefix>_CORES (from the affinity mask and the control groups) and <prefix>_AVAILABLE_MB (what is available
# without swapping, by the kernel's estimate and the control groups; empty where the system does not say). <root>
# stands before /proc and /sys, empty but in tests, which bring a machine of their own.
include_guard(GLOBAL)
cmake_policy(VERSION 3.21)

# The file's text; empty when there is no such file.
function(z_tsb_read_line result file)
  set(text "")
  if(EXISTS "${file}")
    file(READ "${file}" text)
    string(STRIP "${text}" text)
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The least of a variable's value and an expression's; empty means unlimited.
macro(z_tsb_lower variable expression)
  math(EXPR value "${expression}")
  if("${${variable}}" STREQUAL "" OR value LESS "${${variable}}")
    set(${variable} ${value})
  endif()
endmacro()

# Lowers cores and available_mb by the limits in one folder of a control group, of version 2 or 1.
macro(z_tsb_apply_group folder)
  foreach(
    name IN ITEMS cpu.max cpu.cfs_quota_us cpu.cfs_period_us memory.max memory.limit_in_bytes memory.current
                  memory.usage_in_bytes memory.stat
  )
    z_tsb_read_line(${name} "${folder}/${name}")
  endforeach()
  if("${cpu.max}${cpu.cfs_quota_us} ${cpu.cfs_period_us}" MATCHES "^([1-9][0-9]*) ([1-9][0-9]*)")
    z_tsb_lower(cores "(${CMAKE_MATCH_1} + ${CMAKE_MATCH_2} - 1) / ${CMAKE_MATCH_2}")
  endif()
  set(limit "${memory.max}${memory.limit_in_bytes}")
  set(used "${memory.current}${memory.usage_in_bytes}")
  if(limit MATCHES "^[0-9]+$" AND used MATCHES "^[0-9]+$")
    # Pages of files count as used, but the kernel gives them up when asked.
    set(reclaimable 0)
    if("\n${memory.stat}" MATCHES "\n(total_)?inactive_file ([0-9]+)")
      set(reclaimable ${CMAKE_MATCH_2})
    endif()
    z_tsb_lower(available_mb "(${limit} - ${used} + ${reclaimable}) / 1048576")
  endif()
endmacro()

function(z_tsb_machine prefix root)
  set(cores "")
  set(available_mb "")
  z_tsb_read_line(status "${root}/proc/self/status")
  if(status MATCHES "Cpus_allowed_list:[ \t]*([0-9,-]+)") # such as 0-3,8
    string(REGEX REPLACE "([0-9]+)-([0-9]+)" "\\2-\\1+1" cpus ",${CMAKE_MATCH_1}")
    string(REGEX REPLACE ",[0-9]+(,|$)" ",1\\1" cpus "${cpus}")
    string(REGEX REPLACE ",[0-9]+(,|$)" ",1\\1" cpus "${cpus}") # two in a row
    string(REPLACE "," "+" cpus "0${cpus}")
    math(EXPR cores "${cpus}")
  else()
    cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  endif()
  z_tsb_read_line(meminfo "${root}/proc/meminfo")
  if(meminfo MATCHES "MemAvailable:[ \t]*([0-9]+) kB")
    math(EXPR available_mb "${CMAKE_MATCH_1} / 1024")
  endif()

  # Lines such as 0::/a/b (version 2) or 4:memory:/a/b (version 1). Each folder up to the root may have a limit. In a
  # container the path can be the host's, which does not exist: then the mount's root is this container's own group.
  z_tsb_read_line(groups "${root}/proc/self/cgroup")
  string(REPLACE "\n" ";" groups "${groups}")
  foreach(group IN LISTS groups)
    if(NOT group MATCHES "^[0-9]+:(memory|cpu|cpu,cpuacct|):(/.*)$")
      continue()
    endif()
    set(base "${root}/sys/fs/cgroup/${CMAKE_MATCH_1}")
    set(path "${CMAKE_MATCH_2}")
    if(CMAKE_MATCH_1 STREQUAL "" AND EXISTS "${base}unified")
      string(APPEND base unified)
    endif()
    z_tsb_apply_group("${base}")
    while(NOT path MATCHES "^/?$")
      z_tsb_apply_group("${base}${path}")
      get_filename_component(path "${path}" DIRECTORY)
    endwhile()
  endforeach()
  if(NOT available_mb STREQUAL "" AND available_mb LESS 0)
    set(available_mb 0)
  endif()
  set(${prefix}_CORES "${cores}" PARENT_SCOPE)
  set(${prefix}_AVAILABLE_MB "${available_mb}" PARENT_SCOPE)
endfunction()
