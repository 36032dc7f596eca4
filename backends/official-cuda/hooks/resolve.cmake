# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cuda/cmake/tsb_cuda_archs.cmake)

# The architectures of the release's wheel, as its release.json says.
function(z_tsb_cuda_resolve out)
  tsb_cuda_archs(of_ ${release_backends_${backend_folder}_${backend_version}_archs})
  tsb_json_object(resolved of_ LISTS archs cmake_archs)
  set(${out} "${resolved}" PARENT_SCOPE)
endfunction()
