# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_is_word(<out-var> <name>): whether the setting is a word behind ./bootstrap.sh <preset>, which names those that
# it has exported in BOOTSTRAP_SETTINGS.
function(z_tsb_is_word out name)
  string(REPLACE " " ";" words "$ENV{BOOTSTRAP_SETTINGS}")
  set(${out} FALSE)
  if(name IN_LIST words)
    set(${out} TRUE)
  endif()
  set(${out} "${${out}}" PARENT_SCOPE)
endfunction()
