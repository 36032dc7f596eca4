# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# What the doctor has chosen.
function(z_tsb_rocm_configured out)
  set(of_archs ${TSB_ROCM_ARCHS})
  tsb_json_object(found of_ LISTS archs)
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
