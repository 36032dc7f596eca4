# SPDX-License-Identifier: BSD-3-Clause
# Whether nvcc knows the architectures that are built for (backend_configured_archs).
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/tsb_cuda_size.cmake)

function(tsb_doctor_check_cuda_archs)
  z_tsb_doctor_exported(version TSB_CUDA_TOOLKIT_version)
  z_tsb_doctor_exported(nvcc TSB_CUDA_TOOLKIT_nvcc)
  set(known "")
  if(nvcc)
    execute_process(COMMAND "${nvcc}" --list-gpu-arch OUTPUT_VARIABLE output ERROR_QUIET)
    string(REGEX MATCHALL "compute_[0-9]+" known "${output}") # without letters
  endif()
  set(unknown "${backend_configured_cmake_archs}")
  list(TRANSFORM unknown REPLACE "^([0-9]+).*$" "compute_\\1")
  list(REMOVE_DUPLICATES unknown)
  list(REMOVE_ITEM unknown ${known})
  if(known AND unknown)
    foreach(list IN ITEMS known unknown)
      list(TRANSFORM ${list} REPLACE "^compute_([0-9]+)([0-9])$" "\\1.\\2")
      list(JOIN ${list} " " ${list})
    endforeach()
    z_tsb_doctor_problem(
      "CUDA architectures: nvcc of CUDA ${version} does not know ${unknown}, only ${known}"
      "name others in TSB_CUDA_ARCHS, or take a preset of another CUDA"
    )
    return()
  endif()
  list(JOIN backend_configured_archs " " archs)
  tsb_cuda_size(size)
  z_tsb_doctor_good("CUDA architectures: ${archs}; libtorch_cuda.so comes to about ${size} MB")
endfunction()
