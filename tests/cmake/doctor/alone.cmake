# SPDX-License-Identifier: BSD-3-Clause
# cmake -P cmake/doctor/doctor.cmake
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tool(ninja "echo 1.8.2")
tool_of_machine(df mktemp)
set(script -P ${TSB_SOURCE_DIR}/cmake/doctor/doctor.cmake)
set(on_machine -E env PATH=${bin} TSB_DIST=${TSB_TEST_DIR}/dist)

# alone(<argument of cmake>... SAYS <part of the output>...)
function(alone)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "SAYS")
  tsb_run(status output ${CMAKE_COMMAND} ${arg_UNPARSED_ARGUMENTS})
  tsb_expect_end(1 ${arg_SAYS})
  return(PROPAGATE output)
endfunction()

alone(
  ${on_machine} ${CMAKE_COMMAND} ${script} SAYS "-- cmake ${CMAKE_VERSION}"
  "ninja: ${bin}/ninja is 1.8.2, 1.10 or newer is needed" "writable: ${TSB_TEST_DIR}/dist"
)
tsb_expect("the report" LACKS "${output}" "Call Stack")
tsb_expect("without a CUDA version" LACKS "${output}" "CUDA")

# With one also its checks; what each says about this machine is left out.
set(checks cuda_toolkit cuda_host_compiler cudnn cusparselt nvtx cuda_driver cuda_archs)
list(JOIN checks "," skip)
alone(
  ${on_machine} TSB_DOCTOR_SKIP=${skip} ${CMAKE_COMMAND} -D TSB_BACKEND=cu124 ${script} SAYS
  "ninja: ${bin}/ninja is 1.8.2"
)
foreach(check IN LISTS checks)
  if(NOT output MATCHES "${check}: (skipped|TSB_DOCTOR_SKIP names it)")
    message(FATAL_ERROR "the report for 12.4 has nothing of ${check}")
  endif()
endforeach()

# What it does not know is not ignored.
alone(-D TSB_BACKND=cu124 ${script} SAYS "unknown option: -D TSB_BACKND; the doctor takes -D TSB_BACKEND=<backend>")
alone(${script} cu124 SAYS "unknown argument: cu124; -D TSB_BACKEND=<backend> goes before -P")
alone(
  -D TSB_BACKEND=cu999 ${script} SAYS
  "TSB_BACKEND is 'cu999', which no release here is built for name one of: cpu, cu118"
)
alone(
  -E env TSB_DOCTOR_SKIP=disk,cudnn,dsk ${CMAKE_COMMAND} ${script} SAYS
  "TSB_DOCTOR_SKIP names 'dsk', and there is no such check -> correct it, or take it out"
)
