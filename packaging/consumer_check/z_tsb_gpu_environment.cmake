# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_of_backends.cmake)

# z_tsb_gpu_environment(<out-var>): the variables with which whoever runs a machine says how its GPUs and the links
# between them may be used (CUDA_VISIBLE_DEVICES, NCCL_NVLS_ENABLE=0, ...; `environment` of each backend), as
# NAME=VALUE. On a shared machine a program that runs without them can disturb others. None helps to find a library.
function(z_tsb_gpu_environment out)
  z_tsb_of_backends(names environment)
  list(JOIN names "|" names)
  execute_process(COMMAND env OUTPUT_VARIABLE all)
  string(REGEX MATCHALL "(^|\n)(${names})=[^\n;]*" settings "${all}")
  list(TRANSFORM settings STRIP)
  set(${out} "${settings}" PARENT_SCOPE)
endfunction()
