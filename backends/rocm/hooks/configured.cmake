# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# What the doctor has chosen.
function(z_tsb_rocm_configured out)
  set(found "{}")
  z_tsb_json_set_array(found archs ${TSB_ROCM_ARCHS})
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
