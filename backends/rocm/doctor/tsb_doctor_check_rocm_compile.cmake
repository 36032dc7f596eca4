# SPDX-License-Identifier: BSD-3-Clause
# Whether hipcc compiles a few lines for the GPUs that are built for, with the C++ library of this machine. No GPU is
# needed for that, nor a driver. Done once for a build folder, and again when ROCm or the list has changed.
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/doctor/detail/z_tsb_doctor_compile.cmake)

# z_tsb_compile_hip(<error> <folder> <GPUs> <C++ standard>): tries in this folder. Reads the toolkit's
# members, which the check has set.
function(z_tsb_compile_hip error folder archs standard)
  file(
    WRITE "${folder}/try.hip" "#include <cmath>\n" "#include <hip/hip_runtime.h>\n"
                              "__global__ void kernel(double* x) { *x = std::cos(*x); }\n"
  )
  list(TRANSFORM archs PREPEND "--offload-arch=")
  z_tsb_doctor_compile(
    fault "${folder}" "ROCM_PATH=${home}" "HIP_CLANG_PATH=${clang}" "HIP_DEVICE_LIB_PATH=${device_libraries}"
    HIP_PLATFORM=amd "${hipcc}" -std=c++${standard} ${archs} -c "${folder}/try.hip" -o "${folder}/try.o"
  )
  set(${error} "${fault}" PARENT_SCOPE)
endfunction()

function(tsb_doctor_check_rocm_compile)
  z_tsb_doctor_exported(toolkit TSB_ROCM_TOOLKIT_FILE)
  z_tsb_doctor_exported(refused TSB_ROCM_REFUSED)
  if(toolkit STREQUAL "" OR refused)
    return() # said by their own checks
  endif()
  foreach(member IN ITEMS home hipcc clang device_libraries)
    z_tsb_doctor_exported(${member} TSB_ROCM_TOOLKIT_${member})
  endforeach()
  list(JOIN backend_configured_archs " " names)
  file(TIMESTAMP "${hipcc}" time_hipcc)
  file(TIMESTAMP "${clang}/clang++" time_clang)
  file(SHA256 "${toolkit}" content)
  string(SHA256 key "${content} ${names} ${time_hipcc} ${time_clang}")
  if(NOT "${TSB_DOCTOR_ROCM_COMPILED}" STREQUAL key)
    z_tsb_doctor_temporary(folder ROCm)
    if(folder STREQUAL "")
      return()
    endif()
    z_tsb_compile_hip(error "${folder}" "${backend_configured_archs}" ${release_cxx_standard})
    file(REMOVE_RECURSE "${folder}")
    if(error)
      z_tsb_doctor_problem(
        "ROCm: ${hipcc} with ${clang} does not compile for ${names}: ${error}"
        "name another ROCm in ROCM_PATH, or other GPUs in TSB_ROCM_ARCHS" "or try anyway: TSB_DOCTOR_SKIP=rocm_compile"
      )
      return()
    endif()
    set(TSB_DOCTOR_ROCM_COMPILED "${key}" CACHE INTERNAL "What the doctor has compiled HIP with")
  endif()
  z_tsb_doctor_good("ROCm: ${hipcc} with ${clang} compiles for ${names}")
endfunction()
