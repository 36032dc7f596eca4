# SPDX-License-Identifier: BSD-3-Clause
# Whether hipcc compiles a few lines for the GPUs that are built for, with the C++ library of this machine. No GPU is needed
# for that, nor a driver.
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/release/tsb_read_release.cmake)

function(tsb_doctor_check_rocm_compile)
  z_tsb_doctor_exported(toolkit TSB_ROCM_TOOLKIT)
  z_tsb_doctor_exported(archs TSB_ROCM_ARCHS)
  if(toolkit STREQUAL "" OR archs STREQUAL "")
    return() # said by their own checks
  endif()
  z_tsb_json_take(toolkit version home hipcc clang)
  tsb_read_release(release "${doctor_PYTORCH_VERSION}")
  z_tsb_json_get(standard "${release}" cxx_standard)
  set(place "$ENV{TMPDIR}")
  if(place STREQUAL "")
    set(place /tmp)
  endif()
  string(RANDOM LENGTH 8 suffix)
  set(folder "${place}/tsb-doctor-${suffix}")
  file(
    WRITE "${folder}/try.hip" "#include <cmath>\n" "#include <hip/hip_runtime.h>\n"
                              "__global__ void kernel(double* x) { *x = std::cos(*x); }\n"
  )
  set(targets ${archs})
  list(TRANSFORM targets PREPEND "--offload-arch=")
  execute_process(
    COMMAND env -i "PATH=$ENV{PATH}" "TMPDIR=${folder}" "ROCM_PATH=${home}" "HIP_CLANG_PATH=${clang}" HIP_PLATFORM=amd
            "${hipcc}" -std=c++${standard} ${targets} -c "${folder}/try.hip" -o "${folder}/try.o"
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  file(REMOVE_RECURSE "${folder}")
  list(JOIN archs " " names)
  if(status EQUAL 0)
    z_tsb_doctor_good("ROCm: ${hipcc} with ${clang} compiles for ${names}")
    return()
  endif()
  set(fault "it ended with ${status}")
  if(output MATCHES "[^\n]*([Ee]rror|fatal)[^\n]*")
    string(STRIP "${CMAKE_MATCH_0}" fault)
    string(REPLACE "${folder}/" "" fault "${fault}")
  endif()
  z_tsb_doctor_problem(
    "ROCm: ${hipcc} with ${clang} does not compile for ${names}: ${fault}"
    "name another ROCm in ROCM_PATH, or other GPUs in TSB_ROCM_ARCHS" "or try anyway: TSB_DOCTOR_SKIP=rocm_compile"
  )
endfunction()
