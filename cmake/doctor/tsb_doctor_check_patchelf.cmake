# SPDX-License-Identifier: BSD-3-Clause
# patchelf: older ones damage libraries of this size or know no --add-rpath.
function(tsb_doctor_check_patchelf)
  z_tsb_doctor_install(remedy patchelf patchelf)
  z_tsb_doctor_tool(patchelf 0.14 "${remedy}")
endfunction()
