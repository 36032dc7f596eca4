# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# TSB_ROCM_ARCHS, else the GPUs of the release.
function(z_tsb_rocm_resolve out)
  set(of_archs ${TSB_ROCM_ARCHS})
  if(NOT of_archs)
    set(of_archs ${release_backends_rocm_${backend_version}_archs})
  endif()
  tsb_json_object(resolved of_ LISTS archs)
  set(${out} "${resolved}" PARENT_SCOPE)
endfunction()
