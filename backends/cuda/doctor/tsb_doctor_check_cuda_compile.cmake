# SPDX-License-Identifier: BSD-3-Clause
# Whether toolkit, host compiler and C library work together: the toolkit is laid out as in the build, and its
# nvcc compiles a few lines. Each may be fine and the three not: CUDA up to 12.8 declares sinpi() otherwise than glibc
# from 2.41 on. Done once for a build folder, and again when one of the three has changed.
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/tsb_lay_out_cuda_toolkit.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/doctor/detail/z_tsb_doctor_compile.cmake)

# z_tsb_compile_cuda(<error> <folder> <record of the toolkit> <host compiler> <C++ standard>): tries in this folder.
function(z_tsb_compile_cuda error folder toolkit host_compiler standard)
  tsb_lay_out_cuda_toolkit("${toolkit}" "${folder}/toolkit" RESULT_ERROR fault)
  if(fault STREQUAL "")
    file(
      WRITE "${folder}/try.cu" "#include <cmath>\n" "#include <cuda_runtime.h>\n"
                               "__global__ void kernel(double* x) { *x = std::cos(*x); }\n"
    )
    z_tsb_doctor_compile(
      fault "${folder}" "${folder}/toolkit/bin/nvcc" -std=c++${standard} -ccbin "${host_compiler}" -c
      "${folder}/try.cu" -o "${folder}/try.o"
    )
  endif()
  set(${error} "${fault}" PARENT_SCOPE)
endfunction()

function(tsb_doctor_check_cuda_compile)
  z_tsb_doctor_exported(toolkit TSB_CUDA_TOOLKIT_FILE)
  z_tsb_doctor_exported(version TSB_CUDA_TOOLKIT_version)
  z_tsb_doctor_exported(nvcc TSB_CUDA_TOOLKIT_nvcc)
  z_tsb_doctor_exported(host_compiler TSB_CUDA_TOOLKIT_host_compiler)
  z_tsb_doctor_exported(host_version TSB_CUDA_HOST_COMPILER_VERSION)
  if(toolkit STREQUAL "" OR host_compiler STREQUAL "")
    return() # said by their own checks
  endif()
  execute_process(
    COMMAND "${host_compiler}" -dM -E -x c++ -include features.h /dev/null OUTPUT_VARIABLE macros ERROR_QUIET
  )
  set(libc "the C library")
  if(macros MATCHES "#define __GLIBC__ ([0-9]+)")
    set(libc "glibc ${CMAKE_MATCH_1}")
    if(macros MATCHES "#define __GLIBC_MINOR__ ([0-9]+)")
      string(APPEND libc ".${CMAKE_MATCH_1}")
    endif()
  endif()
  set(what "nvcc ${version}, ${host_version} (${host_compiler}) and ${libc}")

  file(TIMESTAMP "${nvcc}" time_nvcc)
  file(TIMESTAMP "${host_compiler}" time_host)
  file(SHA256 "${toolkit}" content)
  string(SHA256 key "${content} ${what} ${time_nvcc} ${time_host}")
  if(NOT "${TSB_DOCTOR_CUDA_COMPILED}" STREQUAL key)
    z_tsb_doctor_temporary(folder CUDA)
    if(folder STREQUAL "")
      return()
    endif()
    z_tsb_compile_cuda(error "${folder}" "${toolkit}" "${host_compiler}" ${release_cxx_standard})
    file(REMOVE_RECURSE "${folder}")
    if(NOT error STREQUAL "")
      z_tsb_doctor_problem(
        "CUDA: ${what} do not work together: ${error}"
        "name another toolkit in TSB_CUDA_HOME or another compiler in TSB_CUDA_HOST_COMPILER"
        "or try anyway: TSB_DOCTOR_SKIP=cuda_compile"
      )
      return()
    endif()
    set(TSB_DOCTOR_CUDA_COMPILED "${key}" CACHE INTERNAL "What the doctor has compiled CUDA with")
  endif()
  z_tsb_doctor_good("CUDA: ${what} work together")
endfunction()
