# SPDX-License-Identifier: BSD-3-Clause
# What pytorch-develop is made of: the checkout's own SLEEF and protobuf, whatever the release does, and whole options.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/data/tsb_find_data.cmake)
set(backend_kind cpu)
set(TSB_LOCAL_pytorch /mine)
set(TSB_CODEGEN_PYTHON /venv/bin/python3)
set(
  release_options_pytorch BUILD_TEST=OFF BUILD_BINARY=OFF BUILD_PYTHON=OFF BUILD_CUSTOM_PROTOBUF=OFF
                          USE_SYSTEM_SLEEF=ON USE_CUDA=OFF Python_EXECUTABLE=@PYTHON@
)

function(tsb_declare_package name)
  cmake_parse_arguments(
    PARSE_ARGV 1 arg "" "DESCRIPTION;IN_PLACE;MEMORY_PER_JOB_MB" "OPTIONS;DEPENDS;ENVIRONMENT;INCLUDE"
  )
  foreach(member IN ITEMS DESCRIPTION IN_PLACE OPTIONS DEPENDS)
    set(${member} "${arg_${member}}" PARENT_SCOPE)
  endforeach()
endfunction()
function(tsb_declare_release_features package of)

endfunction()

function(tsb_run_python)

endfunction()

set(TSB_BLAS ${BLAS})
set(TSB_PACKAGES pytorch-develop)
set(ENV{USE_FBGEMM} 0)
set(ENV{BUILD_NUMBER} 7) # of Jenkins
function(message)
  set_property(GLOBAL APPEND_STRING PROPERTY SAID "${ARGN}")
  _message(${ARGV})
endfunction()
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_CXX_FLAGS "" CACHE STRING "")
include(${TSB_SOURCE_DIR}/superbuild/pytorch-develop.cmake)
tsb_expect("the folder" EQUAL "${IN_PLACE}" /mine)
tsb_expect("the last line" CONTAINS "${DESCRIPTION}" "PYTHONPATH='/mine' '/venv/bin/python3' ")
tsb_expect("what it depends on" EQUAL "${DEPENDS}" "nnpack-generator;${BLAS}")
list(TRANSFORM OPTIONS REPLACE "=.*" "")
tsb_expect("the options" EQUAL "${OPTIONS}" "BUILD_PYTHON;USE_NUMPY;USE_CUDA;Python_EXECUTABLE;${EXPECTED}")
tsb_expect("what CMake was given" EQUAL "${TSB_PYTORCH_OPTIONS}" "CMAKE_BUILD_TYPE:STRING=Debug")
get_property(said GLOBAL PROPERTY SAID)
tsb_expect("what setup.py reads" CONTAINS "${said}" "USE_FBGEMM of the environment: only PyTorch's setup.py reads that")
tsb_expect("what others read" LACKS "${said}" BUILD_NUMBER)
