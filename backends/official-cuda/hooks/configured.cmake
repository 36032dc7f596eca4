# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# The architectures of the release's wheel, as its release.json says.
function(z_tsb_cuda_configured out)
  set(of_archs "${release_backends_${backend_folder}_${backend_version}_archs}")
  set(of_cmake_archs ${of_archs})
  list(TRANSFORM of_cmake_archs REPLACE "^(.+)[.](.+)$" "\\1\\2-real")
  tsb_json_object(found of_ LISTS archs cmake_archs)
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
