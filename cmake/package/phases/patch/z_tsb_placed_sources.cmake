# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_placed_sources(<out-var> <out-var>)
#
# The sources in the package's source tree, as two lists of the same length: their names, and their folders below the
# tree. Some are placed there, some came inside the main source (their status is "included"). Those that no provider has
# are left out.
function(z_tsb_placed_sources out_names out_folders)
  set(names "")
  set(folders "")
  foreach(place IN LISTS package_place)
    string(REGEX MATCH "^([^=]+)=(.*)$" ignored "${place}")
    set(name "${CMAKE_MATCH_1}")
    set(folder "${CMAKE_MATCH_2}")
    if("${sources_${name}_status}" MATCHES "^(ok|included)$")
      list(APPEND names "${name}")
      list(APPEND folders "${folder}")
    endif()
  endforeach()
  set(${out_names} "${names}" PARENT_SCOPE)
  set(${out_folders} "${folders}" PARENT_SCOPE)
endfunction()
