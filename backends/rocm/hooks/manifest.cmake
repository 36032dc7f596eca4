# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/versions.cmake)

# The manifest's member `rocm`: version of the toolkit, GPUs, versions of the components.
function(z_tsb_rocm_manifest out backend artifact)
  z_tsb_json_take(backend version)
  z_tsb_json_get_list(archs "${backend}" configured archs)
  set(rocm "{}")
  z_tsb_json_set_string(rocm version "${version}")
  z_tsb_json_set_array(rocm archs ${archs})
  z_tsb_rocm_versions(versions "${backend}" "${artifact}")
  string(JSON rocm SET "${rocm}" versions "${versions}")
  set(${out} "${rocm}" PARENT_SCOPE)
endfunction()
