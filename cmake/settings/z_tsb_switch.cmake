# SPDX-License-Identifier: BSD-3-Clause
# What a switch of the environment says, for configuring and for what reads it when it runs.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../detail/tsb_fail.cmake)

# z_tsb_switch(<out-var> <name>): ON, OFF, empty when it is not set, or "neither".
function(z_tsb_switch out name)
  string(TOUPPER "$ENV{${name}}" value)
  if(value MATCHES "^(1|ON|TRUE|YES|Y)$")
    set(value ON)
  elseif(value MATCHES "^(0|OFF|FALSE|NO|N)$")
    set(value OFF)
  elseif(NOT value STREQUAL "")
    set(value neither)
  endif()
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

# z_tsb_offline(<out-var>): what TSB_OFFLINE says now, in a build-time script. With neither it fails: whoever meant ON
# does not want it to go on with a network.
function(z_tsb_offline out)
  z_tsb_switch(value TSB_OFFLINE)
  if(value STREQUAL "neither")
    tsb_fail("TSB_OFFLINE is '$ENV{TSB_OFFLINE}'" "set it to ON or OFF, or unset it")
  endif()
  set(${out} "${value}" PARENT_SCOPE)
endfunction()
