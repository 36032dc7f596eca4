# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/release/tsb_read_release.cmake)

# The architectures of the release's wheel, as its release.json says.
function(z_tsb_cuda_configured out)
  tsb_read_release(release "${TSB_PYTORCH_VERSION}")
  z_tsb_json_get_list(archs "${release}" backends ${backend_folder} ${backend_version} archs)
  set(cmake_archs ${archs})
  list(TRANSFORM cmake_archs REPLACE "^(.+)[.](.+)$" "\\1\\2-real")
  set(found "{}")
  z_tsb_json_set_array(found archs ${archs})
  z_tsb_json_set_array(found cmake_archs ${cmake_archs})
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
