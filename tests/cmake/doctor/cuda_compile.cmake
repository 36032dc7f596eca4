# SPDX-License-Identifier: BSD-3-Clause
# Toolkit, host compiler and C library together: what cannot work is named before anything is compiled.
include(${CMAKE_CURRENT_LIST_DIR}/cuda_machine.cmake)
tool_of_machine(env mktemp)
set(cuda ${root}/opt/cuda)
fake_toolkit(${cuda} 12.4.131)
file(MAKE_DIRECTORY ${TSB_TEST_DIR}/tmp)
cxx_of_glibc(${bin}/c++ 41)
set(checks cuda_toolkit cuda_host_compiler cuda_compile)
set(environment ENVIRONMENT TMPDIR=${TSB_TEST_DIR}/tmp)

# Headers that are older than the C library's: they work where the layout puts them.
cuda_doctor(${checks} ${environment})
passes("-- CUDA: nvcc 12.4.131, gcc 13.2 (${bin}/c++) and glibc 2.41 work together")

# A clash that the layout does not solve: the first error is named, with all three.
file(WRITE ${cuda}/include/crt/math_functions.h "unknown here: sinpi(double x);\n")
cuda_doctor(${checks} ${environment})
fails(
  1
  "CUDA: nvcc 12.4.131, gcc 13.2 (${bin}/c++) and glibc 2.41 do not work together: mathcalls.h(79): error: exception specification is incompatible\n"
  "-> name another toolkit in TSB_CUDA_HOME or another compiler in TSB_CUDA_HOST_COMPILER"
)
file(GLOB left ${TSB_TEST_DIR}/tmp/*)
tsb_expect("nothing left" EQUAL "${left}" "")

# Without a place for temporary files.
cuda_doctor(${checks} ENVIRONMENT TMPDIR=${bin}/c++)
fails(1 "CUDA: the folder for temporary files, ${bin}/c++, cannot be written to: Not a directory" "-> set TMPDIR")

# A second configure does not compile again, unless something has changed.
file(WRITE ${cuda}/include/crt/math_functions.h "\n")
file(
  WRITE ${TSB_TEST_DIR}/project/CMakeLists.txt
  "cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/cmake/backend/tsb_find_backend.cmake)
include(${TSB_SOURCE_DIR}/cmake/doctor/tsb_doctor.cmake)
project(p LANGUAGES NONE)
tsb_find_backend(backend cu124)
tsb_doctor(CHECKS cuda_toolkit cuda_host_compiler cuda_compile PYTORCH_VERSION ${pytorch} BACKEND \"\${backend}\" ROOT ${root})
"
)
function(configure)
  tsb_run(
    status output ${CMAKE_COMMAND} -E env "PATH=${bin}" --unset=CXX --unset=CUDA_HOME --unset=CUDA_PATH
    --unset=CONDA_PREFIX --unset=TSB_CUDA_HOST_COMPILER TSB_CUDA_HOME=${cuda} TMPDIR=${TSB_TEST_DIR}/tmp
    ${CMAKE_COMMAND} -S ${TSB_TEST_DIR}/project -B ${TSB_TEST_DIR}/build -G "Unix Makefiles" -DCMAKE_MAKE_PROGRAM=make
  )
  set(status "${status}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()
configure()
passes("glibc 2.41 work together")
file(WRITE ${cuda}/include/crt/math_functions.h "unknown here: sinpi(double x);\n")
configure()
passes("glibc 2.41 work together")
cxx_of_glibc(${bin}/c++ 42)
configure()
fails(1 "glibc 2.42 do not work together: mathcalls.h(79)")

# What the laid-out toolkit would take from elsewhere.
file(READ ${cuda}/bin/nvcc nvcc)
string(REPLACE "ptxas fatbinary nvlink" "/elsewhere/ptxas" nvcc "${nvcc}")
file(WRITE ${cuda}/bin/nvcc "${nvcc}")
cuda_doctor(${checks} ${environment})
fails(1 "glibc 2.42 do not work together: nvcc would run ptxas, which does not exist")
