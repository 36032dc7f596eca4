# SPDX-License-Identifier: BSD-3-Clause
# NVTX, the marks for profilers: the toolkit's libnvToolsExt, or its headers of version 3 alone, since CUDA 12.9 has no
# such library any more. Exports TSB_CUDA_NVTX: library or headers.
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/detail/z_tsb_json.cmake)

function(tsb_doctor_check_nvtx)
  z_tsb_doctor_exported(toolkit TSB_CUDA_TOOLKIT)
  if(toolkit STREQUAL "")
    return() # said by the check of the toolkit
  endif()
  z_tsb_json_get_list(includes "${toolkit}" include)
  z_tsb_json_get_list(libraries "${toolkit}" libraries)
  find_file(
    library
    NAMES libnvToolsExt.so libnvToolsExt.so.1
    PATHS ${libraries}
    NO_DEFAULT_PATH NO_CACHE
  )
  find_file(header nvtx3/nvToolsExt.h PATHS ${includes} NO_DEFAULT_PATH NO_CACHE)
  if(library)
    z_tsb_doctor_good("NVTX: ${library}")
    z_tsb_doctor_export(TSB_CUDA_NVTX library)
  elseif(header)
    z_tsb_doctor_good("NVTX: the headers nvtx3 take the place of libnvToolsExt, which CUDA has no longer since 12.9")
    z_tsb_doctor_export(TSB_CUDA_NVTX headers)
  else()
    string(JSON home GET "${toolkit}" home)
    z_tsb_doctor_problem(
      "NVTX: neither libnvToolsExt nor the headers nvtx3 are in the toolkit ${home}"
      "install them: cuda-nvtx of NVIDIA's repository, nvidia-cuda-dev of Debian's"
    )
  endif()
endfunction()
