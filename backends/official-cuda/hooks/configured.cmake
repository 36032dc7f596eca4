# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# The architectures of the release's wheel, as its release.json says.
function(z_tsb_cuda_configured out)
  set(archs "${release_backends_${backend_folder}_${backend_version}_archs}")
  set(cmake_archs ${archs})
  list(TRANSFORM cmake_archs REPLACE "^(.+)[.](.+)$" "\\1\\2-real")
  set(found "{}")
  z_tsb_json_set_array(found archs ${archs})
  z_tsb_json_set_array(found cmake_archs ${cmake_archs})
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
