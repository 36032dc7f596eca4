# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_placed_sources(<out-var> <out-var> <package json> <sources json>)
#
# The sources in the package's source tree, as two lists of the same length: their names, and their folders below the
# tree. Some are placed there, some came inside the main source (their status is "included"). Those that no provider has
# are left out.
function(z_tsb_placed_sources out_names out_folders package sources)
  set(names "")
  set(folders "")
  z_tsb_json_get_list(places "${package}" place)
  foreach(place IN LISTS places)
    string(REGEX MATCH "^([^=]+)=(.*)$" ignored "${place}")
    set(name "${CMAKE_MATCH_1}")
    set(folder "${CMAKE_MATCH_2}")
    z_tsb_json_get(status "${sources}" ${name} status)
    if(status MATCHES "^(ok|included)$")
      list(APPEND names "${name}")
      list(APPEND folders "${folder}")
    endif()
  endforeach()
  set(${out_names} "${names}" PARENT_SCOPE)
  set(${out_folders} "${folders}" PARENT_SCOPE)
endfunction()
