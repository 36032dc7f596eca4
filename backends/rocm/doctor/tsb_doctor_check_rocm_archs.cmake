# SPDX-License-Identifier: BSD-3-Clause
# The GPUs that are built for: TSB_ROCM_ARCHS, else the release's list. Exports TSB_ROCM_ARCHS.
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/tsb_rocm_archs.cmake)

function(tsb_doctor_check_rocm_archs)
  z_tsb_doctor_exported(toolkit TSB_ROCM_TOOLKIT)
  z_tsb_json_take(toolkit device_libraries configs)
  z_tsb_json_get_list(kernels "${toolkit}" kernels)
  list(FILTER kernels INCLUDE REGEX "^rocblas/") # hipBLASLt knows few GPUs, and PyTorch does without it on others
  get_filename_component(lib "${configs}" DIRECTORY)
  list(TRANSFORM kernels PREPEND "${lib}/")
  set(known KERNELS ${kernels})
  if(device_libraries) # CMake 3.31 warns of a keyword with an empty value
    list(APPEND known DEVICE_LIBRARIES "${device_libraries}")
  endif()
  list(JOIN TSB_ROCM_ARCHS " " wish)
  tsb_rocm_archs(archs "${TSB_ROCM_ARCHS}" ROCM "${backend_version}" ${known})
  if(archs_ERROR)
    set(prefix "TSB_ROCM_ARCHS is \"${wish}\"")
    if(wish STREQUAL "")
      set(prefix "ROCm architectures")
    endif()
    z_tsb_doctor_problem("${prefix}: ${archs_ERROR}" "${archs_REMEDY}")
    return()
  endif()
  list(JOIN archs " " text)
  z_tsb_doctor_good("ROCm architectures: ${text}")
  z_tsb_doctor_export(TSB_ROCM_ARCHS "${archs}")
endfunction()
