# SPDX-License-Identifier: BSD-3-Clause
# cmake -P cmake/doctor/doctor.cmake
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tool(ninja "echo 1.8.2")
tool_of_machine(df mktemp)
tsb_run(
  status output ${CMAKE_COMMAND} -E env PATH=${bin} TSB_DIST=${TSB_TEST_DIR}/dist ${CMAKE_COMMAND} -P
  ${TSB_SOURCE_DIR}/cmake/doctor/doctor.cmake
)
tsb_expect("status" EQUAL "${status}" 1)
tsb_expect("the report" CONTAINS "${output}" "-- cmake ${CMAKE_VERSION}")
tsb_expect("the report" CONTAINS "${output}" "ninja: ${bin}/ninja is 1.8.2, 1.10 or newer is needed")
tsb_expect("the report" CONTAINS "${output}" "writable: ${TSB_TEST_DIR}/dist")
tsb_expect("the report" LACKS "${output}" "Call Stack")
tsb_expect("without a CUDA version" LACKS "${output}" "CUDA")

# With one also its checks; what each says about this machine is left out.
set(checks cuda_toolkit cuda_host_compiler cudnn cusparselt nvtx cuda_driver cuda_archs)
list(JOIN checks "," skip)
tsb_run(
  status output ${CMAKE_COMMAND} -E env PATH=${bin} TSB_DIST=${TSB_TEST_DIR}/dist TSB_DOCTOR_SKIP=${skip}
  ${CMAKE_COMMAND} -D TSB_BACKEND=cu124 -P ${TSB_SOURCE_DIR}/cmake/doctor/doctor.cmake
)
tsb_expect("status" EQUAL "${status}" 1)
tsb_expect("the report for 12.4" CONTAINS "${output}" "ninja: ${bin}/ninja is 1.8.2")
foreach(check IN LISTS checks)
  if(NOT output MATCHES "${check}: (skipped|TSB_DOCTOR_SKIP names it)")
    message(FATAL_ERROR "the report for 12.4 has nothing of ${check}")
  endif()
endforeach()

# What it does not know is not ignored.
function(expect_refusal message)
  tsb_run(status output ${CMAKE_COMMAND} ${ARGN})
  tsb_expect("status" EQUAL "${status}" 1)
  tsb_expect("the message" CONTAINS "${output}" "${message}")
endfunction()
set(script -P ${TSB_SOURCE_DIR}/cmake/doctor/doctor.cmake)
expect_refusal("unknown option: -D TSB_BACKND; the doctor takes -D TSB_BACKEND=<backend>" -D TSB_BACKND=cu124 ${script})
expect_refusal("unknown argument: cu124; -D TSB_BACKEND=<backend> goes before -P" ${script} cu124)
expect_refusal(
  "TSB_BACKEND is 'cu999', which no release here is built for name one of: cpu, cu118" -D TSB_BACKEND=cu999 ${script}
)
expect_refusal(
  "TSB_DOCTOR_SKIP names 'dsk', and there is no such check -> correct it, or take it out" -E env
  TSB_DOCTOR_SKIP=disk,cudnn,dsk ${CMAKE_COMMAND} ${script}
)
