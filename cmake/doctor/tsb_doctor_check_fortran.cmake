# SPDX-License-Identifier: BSD-3-Clause
# A Fortran compiler, for LAPACK; asked only where a package needs it.
function(tsb_doctor_check_fortran)
  z_tsb_doctor_install(remedy gfortran gcc-gfortran)
  z_tsb_doctor_tool(gfortran "" "${remedy}")
endfunction()
