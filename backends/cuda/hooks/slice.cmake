# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/tsb_cuda_archs.cmake)

# What the member `configured` of the backend has instead, for an artifact that is cut to some GPUs.
function(z_tsb_cuda_slice out)
  tsb_cuda_archs(of_ ${ARGN})
  tsb_json_object(changed of_ LISTS archs cmake_archs)
  set(${out} "${changed}" PARENT_SCOPE)
endfunction()
