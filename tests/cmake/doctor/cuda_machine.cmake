# SPDX-License-Identifier: BSD-3-Clause
# Helpers for the tests of the CUDA checks: a machine of our own below "root".
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
include(${TSB_SOURCE_DIR}/tests/cmake/cuda/fake_toolkit.cmake)
set(root ${TSB_TEST_DIR}/root)
file(MAKE_DIRECTORY ${bin} ${root})
tool_of_machine(grep)
tool(apt-get "exit 1")

# cuda_doctor(<check>... [ENVIRONMENT <NAME=value>...] [PYTORCH <version>] [CUDA <version>] [STATIC_LIBRARIES]): these
# checks, for 12.4 and the tests' release by default; sets output and status.
function(cuda_doctor)
  cmake_parse_arguments(PARSE_ARGV 0 arg "STATIC_LIBRARIES" "PYTORCH;CUDA" "ENVIRONMENT")
  set(static "")
  if(arg_STATIC_LIBRARIES)
    set(static STATIC_LIBRARIES)
  endif()
  if(NOT DEFINED arg_PYTORCH)
    set(arg_PYTORCH ${pytorch})
  endif()
  if(NOT DEFINED arg_CUDA)
    set(arg_CUDA 12.4)
  endif()
  set(unset "")
  foreach(
    variable IN ITEMS CUDA_HOME CUDA_PATH CONDA_PREFIX VIRTUAL_ENV TSB_CUDA_HOME TSB_CUDA_ARCHS TSB_CUDA_HOST_COMPILER
                      TSB_CUDA_LOWEST_DRIVER TSB_CUDNN_HOME TSB_CUSPARSELT_HOME
  )
    list(APPEND unset --unset=${variable})
  endforeach()
  doctor(
    ${unset} ${arg_ENVIRONMENT} BACKEND cuda ${arg_CUDA} ARGUMENTS CHECKS ${arg_UNPARSED_ARGUMENTS} PYTORCH_VERSION
    ${arg_PYTORCH} ROOT ${root} ${static}
  )
  set(output "${output}" PARENT_SCOPE)
  set(status "${status}" PARENT_SCOPE)
endfunction()
