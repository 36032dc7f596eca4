# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/data/tsb_find_data.cmake)

# z_tsb_advisories(<out-var> <artifact json>): the file with the known vulnerabilities of the artifact's release; empty
# when it has none.
function(z_tsb_advisories out artifact)
  z_tsb_json_get(version "${artifact}" release version)
  tsb_find_data(file "releases/${version}/advisories.json")
  set(${out} "${file}" PARENT_SCOPE)
endfunction()
