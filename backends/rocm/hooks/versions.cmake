# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# Those of the components, and of ROCm itself.
function(z_tsb_rocm_versions out)
  z_tsb_machine_of_package(toolkit rocm-toolkit)
  z_tsb_json_get(versions "${toolkit}" components)
  z_tsb_json_take(toolkit version)
  z_tsb_json_set_string(versions rocm-core "${version}")
  set(${out} "${versions}" PARENT_SCOPE)
endfunction()
