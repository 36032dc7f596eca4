# SPDX-License-Identifier: BSD-3-Clause
# cuDNN, of the major version that the release of PyTorch is built with upstream. Exports TSB_CUDNN: {"home", "version",
# "headers": [files], "libraries": [files]}.
include(${CMAKE_CURRENT_LIST_DIR}/z_tsb_doctor_nvidia_library.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/tsb_cuda_release.cmake)

function(tsb_doctor_check_cudnn)
  tsb_cuda_release(release "${backend_version}")
  string(REGEX MATCH "^[0-9]+" major "${release_CUDNN}")
  string(REGEX MATCH "^[0-9]+" cuda "${backend_version}")
  z_tsb_doctor_nvidia_library(chosen text rejected cudnn TSB_CUDNN_HOME "${major}")
  if(NOT chosen STREQUAL "")
    z_tsb_doctor_good("cuDNN ${text}; the official package has ${release_CUDNN}")
    z_tsb_doctor_export(TSB_CUDNN "${chosen}")
    return()
  endif()
  set(found "and there is none here")
  if(rejected)
    list(JOIN rejected "; " rejected)
    set(found "found: ${rejected}")
  elseif(NOT "${TSB_CUDNN_HOME}" STREQUAL "")
    set(found "and there is none in TSB_CUDNN_HOME, ${TSB_CUDNN_HOME}")
  endif()
  z_tsb_doctor_pip_install(install nvidia-cudnn-cu${cuda}==${release_CUDNN} TSB_CUDNN_HOME)
  z_tsb_doctor_problem(
    "cuDNN: version ${major} for CUDA ${cuda} is needed, ${found}"
    "${install}; or name a folder with its include and lib there"
  )
endfunction()
