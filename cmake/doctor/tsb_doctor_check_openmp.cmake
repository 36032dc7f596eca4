# SPDX-License-Identifier: BSD-3-Clause
# Whether the C++ compiler has OpenMP: clang's runtime is a package of its own, and without it PyTorch would be built
# without OpenMP. Asked only where a package needs it; that there is a compiler is another check's matter, and which.
function(tsb_doctor_check_openmp)
  set(names "${CMAKE_CXX_COMPILER}")
  if(names STREQUAL "")
    set(names "$ENV{CXX}")
  endif()
  if(names STREQUAL "")
    set(names c++ g++ clang++)
  endif()
  find_program(program NAMES ${names} NO_CACHE)
  if(NOT program)
    return()
  endif()
  set(source "#include <omp.h>\nint main() { return omp_get_max_threads() < 1; }\n")
  execute_process(
    COMMAND sh -c "printf '%s' \"$1\" | \"$0\" -fopenmp -x c++ - -o /dev/null" "${program}" "${source}"
    OUTPUT_QUIET
    ERROR_VARIABLE error
    RESULT_VARIABLE status
  )
  if(status EQUAL 0)
    return()
  endif()
  execute_process(COMMAND "${program}" -dM -E -x c++ /dev/null OUTPUT_VARIABLE macros ERROR_QUIET)
  z_tsb_doctor_install(remedy g++ gcc-c++)
  if(macros MATCHES "#define __clang_major__ ([0-9]+)")
    z_tsb_doctor_install(remedy libomp-${CMAKE_MATCH_1}-dev libomp-devel)
  endif()
  if(error MATCHES "error: ([^\n]+)")
    set(error "${CMAKE_MATCH_1}")
  endif()
  string(REGEX REPLACE "\n.*" "" error "${error}")
  z_tsb_doctor_problem("OpenMP: ${program} -fopenmp does not work: ${error}" "${remedy}")
endfunction()
