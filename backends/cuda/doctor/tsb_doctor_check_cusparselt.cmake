# SPDX-License-Identifier: BSD-3-Clause
# cuSPARSELt, which PyTorch can do without: a feature is off then. Exports TSB_CUSPARSELT as cuDNN's check does; empty
# without it.
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_doctor_nvidia_library.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/tsb_cuda_release.cmake)

function(tsb_doctor_check_cusparselt)
  tsb_cuda_release(release "${backend_version}")
  string(REGEX MATCH "^[0-9]+" cuda "${backend_version}")
  z_tsb_doctor_nvidia_library(chosen text rejected cusparselt TSB_CUSPARSELT_HOME "")
  z_tsb_doctor_export(TSB_CUSPARSELT "${chosen}")
  list(JOIN rejected "; " rejected_text)
  if(NOT chosen STREQUAL "")
    z_tsb_doctor_good("cuSPARSELt ${text}")
  elseif(NOT "${TSB_CUSPARSELT_HOME}" STREQUAL "")
    # One that was asked for by name is not done without in silence.
    if(rejected STREQUAL "")
      set(rejected_text "there is none")
    endif()
    z_tsb_doctor_problem(
      "cuSPARSELt: TSB_CUSPARSELT_HOME is ${TSB_CUSPARSELT_HOME}: ${rejected_text}"
      "name a folder with its include and lib, or unset it: PyTorch is built without if there is none"
    )
  else()
    set(version "")
    if(NOT release_CUSPARSELT STREQUAL "")
      set(version "==${release_CUSPARSELT}")
    endif()
    if(rejected)
      set(rejected_text "; found: ${rejected_text}")
    endif()
    z_tsb_doctor_pip_install(install nvidia-cusparselt-cu${cuda}${version} TSB_CUSPARSELT_HOME)
    z_tsb_doctor_good("cuSPARSELt: none, semi-structured sparse products are off (${install})${rejected_text}")
  endif()
endfunction()
