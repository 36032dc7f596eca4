# SPDX-License-Identifier: BSD-3-Clause
# The architectures that are built for: TSB_CUDA_ARCHS of the environment, else the official list. Exports
# TSB_CUDA_ARCHS, and the same list as TSB_CUDA_ARCHS_CMAKE, TSB_CUDA_ARCHS_GENCODE, TSB_CUDA_ARCHS_MAGMA; and
# TSB_CUDA_COMPRESSION, options of nvcc (TSB_CUDA_LOWEST_DRIVER of the environment: the oldest driver that is to load
# the code).
include(${CMAKE_CURRENT_LIST_DIR}/../cuda/tsb_cuda_archs.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../cuda/tsb_cuda_compression.cmake)

function(tsb_doctor_check_cuda_archs)
  z_tsb_doctor_exported(toolkit TSB_CUDA_TOOLKIT)
  set(cuda "${doctor_CUDA_VERSION}")
  set(nvcc "")
  if(NOT toolkit STREQUAL "")
    string(JSON cuda GET "${toolkit}" version)
    string(JSON nvcc GET "${toolkit}" nvcc)
    set(nvcc NVCC "${nvcc}")
  endif()
  set(driver "$ENV{TSB_CUDA_LOWEST_DRIVER}")
  if(NOT driver MATCHES "^([0-9]+(\\.[0-9]+)*)?$")
    z_tsb_doctor_problem(
      "TSB_CUDA_LOWEST_DRIVER is \"${driver}\", which is no driver's version"
      "write it as 550.54.14, or unset it"
    )
    return()
  endif()
  tsb_cuda_compression(flags mode ${cuda} ${driver})
  set(wish "$ENV{TSB_CUDA_ARCHS}")
  set(static "")
  if(doctor_STATIC_LIBRARIES)
    set(static STATIC)
  endif()
  tsb_cuda_archs(
    archs
    "${wish}"
    PYTORCH "${doctor_PYTORCH_VERSION}"
    CUDA "${cuda}"
    ${nvcc}
    COMPRESSION ${mode}
    ${static}
  )
  if(NOT archs_ERROR STREQUAL "")
    list(POP_FRONT archs_ERROR what)
    if(wish STREQUAL "")
      set(prefix "CUDA architectures")
    else()
      set(prefix "TSB_CUDA_ARCHS is \"${wish}\"")
    endif()
    z_tsb_doctor_problem("${prefix}: ${what}" ${archs_ERROR})
    return()
  endif()
  list(JOIN archs_ARCHS " " text)
  set(sizes "libtorch_cuda.so comes to about ${archs_SIZE_MB} MB")
  if(static)
    string(APPEND sizes ", a program with the static libraries to ${archs_PROGRAM_MB}")
  endif()
  z_tsb_doctor_good("CUDA architectures: ${text}; ${sizes}")
  z_tsb_doctor_export(TSB_CUDA_ARCHS "${archs_ARCHS}")
  z_tsb_doctor_export(TSB_CUDA_ARCHS_CMAKE "${archs_CMAKE}")
  z_tsb_doctor_export(TSB_CUDA_ARCHS_GENCODE "${archs_GENCODE}")
  z_tsb_doctor_export(TSB_CUDA_ARCHS_MAGMA "${archs_MAGMA}")
  z_tsb_doctor_export(TSB_CUDA_COMPRESSION "${flags}")
endfunction()
