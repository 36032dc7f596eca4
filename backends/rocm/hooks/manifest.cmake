# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/versions.cmake)

# The manifest's member `rocm`: version of the toolkit, GPUs, versions of the components.
function(z_tsb_rocm_manifest out)
  set(rocm "{}")
  z_tsb_json_set_string(rocm version "${backend_version}")
  z_tsb_json_set_array(rocm archs ${backend_configured_archs})
  z_tsb_rocm_versions(versions)
  string(JSON rocm SET "${rocm}" versions "${versions}")
  set(${out} "${rocm}" PARENT_SCOPE)
endfunction()
