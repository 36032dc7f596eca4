# SPDX-License-Identifier: BSD-3-Clause
# The architectures that are built for: TSB_CUDA_ARCHS, which the settings' check has found good (hooks/settings.cmake),
# else the official list; whether nvcc knows them. Exports TSB_CUDA_ARCHS, and the same list as TSB_CUDA_ARCHS_CMAKE,
# TSB_CUDA_ARCHS_GENCODE; and TSB_CUDA_COMPRESSION, options of nvcc.
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/tsb_cuda_archs.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/tsb_cuda_compression.cmake)

function(tsb_doctor_check_cuda_archs)
  z_tsb_doctor_exported(version TSB_CUDA_TOOLKIT_version)
  z_tsb_doctor_exported(nvcc TSB_CUDA_TOOLKIT_nvcc)
  tsb_cuda_compression(flags mode ${backend_version} ${TSB_CUDA_LOWEST_DRIVER})
  tsb_cuda_archs(archs "${TSB_CUDA_ARCHS}" CUDA "${backend_version}" COMPRESSION ${mode})
  set(known "")
  if(nvcc)
    execute_process(COMMAND "${nvcc}" --list-gpu-arch OUTPUT_VARIABLE output ERROR_QUIET)
    string(REGEX MATCHALL "compute_[0-9]+" known "${output}") # without letters
  endif()
  set(unknown "${archs_CMAKE}")
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
  list(JOIN archs_ARCHS " " text)
  z_tsb_doctor_good("CUDA architectures: ${text}; libtorch_cuda.so comes to about ${archs_SIZE_MB} MB")
  z_tsb_doctor_export(TSB_CUDA_ARCHS "${archs_ARCHS}")
  z_tsb_doctor_export(TSB_CUDA_ARCHS_CMAKE "${archs_CMAKE}")
  z_tsb_doctor_export(TSB_CUDA_ARCHS_GENCODE "${archs_GENCODE}")
  z_tsb_doctor_export(TSB_CUDA_COMPRESSION "${flags}")
endfunction()
