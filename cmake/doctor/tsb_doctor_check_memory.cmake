# SPDX-License-Identifier: BSD-3-Clause
# Memory that is available now, control groups respected, against doctor_MEMORY_MB.
include(${CMAKE_CURRENT_LIST_DIR}/../jobs/detail/z_tsb_machine.cmake)

function(tsb_doctor_check_memory)
  z_tsb_machine(machine "${doctor_ROOT}")
  if(machine_AVAILABLE_MB STREQUAL "")
    z_tsb_doctor_good("memory: unknown")
  elseif(doctor_MEMORY_MB AND machine_AVAILABLE_MB LESS doctor_MEMORY_MB)
    z_tsb_doctor_problem(
      "memory: ${doctor_MEMORY_MB} MB are needed, ${machine_AVAILABLE_MB} MB are available"
      "stop other programs, or raise the limit of the container or virtual machine"
      "or try anyway: TSB_DOCTOR_SKIP=memory"
    )
  else()
    z_tsb_doctor_good("memory: ${machine_AVAILABLE_MB} MB available")
  endif()
endfunction()
