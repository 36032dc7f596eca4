# SPDX-License-Identifier: BSD-3-Clause
# artifacts_of(<preset> <backend> <artifacts>): sets values, what is made of PyTorch. With ARTIFACTS in the preset
# cpu-all.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/tests/fixtures/release.cmake)
include(${TSB_SOURCE_DIR}/cmake/artifact/tsb_choose_artifacts.cmake)
include(${TSB_SOURCE_DIR}/cmake/backend/tsb_find_backend.cmake)
set(TSB_PYTORCH_VERSION ${pytorch})
set(TSB_SOURCE_VERSION ${pytorch})
set(TSB_TARGET [[{"blas": ["mkl", "openblas"]}]])
set(TSB_BLAS mkl)

function(artifacts_of TSB_PRESET TSB_BACKEND TSB_ARTIFACTS)
  tsb_find_backend(TSB_BACKEND_FACTS "${TSB_BACKEND}" ${TSB_PYTORCH_VERSION})
  tsb_choose_artifacts(values)
  if(values_ERROR)
    message(FATAL_ERROR "${values_ERROR}")
  endif()
  set(values "${values}" PARENT_SCOPE)
endfunction()

if(ARTIFACTS)
  artifacts_of(cpu-all ${BACKEND} ${ARTIFACTS})
endif()
