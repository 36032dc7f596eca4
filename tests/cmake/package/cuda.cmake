# SPDX-License-Identifier: BSD-3-Clause
# A package that depends on cuda-toolkit gets nvcc, the compiler for nvcc's host code and the compiler cache, with a
# makefile and with CMake; versions of both compilers are inputs.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
set(build "${TSB_TEST_DIR}/build")
write_trees(toolkit cm told)
foreach(name IN ITEMS toolkit cm told)
  add_source(${name} 1.0)
endforeach()
write_program("${box}/launcher" [[echo "launched: $1"]] [[exec "$@"]])
write_program(
  "${box}/host-c++" "[ \"$1\" = -dumpfullversion ] && exec echo 11.4" "echo \"host compiler: $*\"" [[exec c++ "$@"]]
)
set(ENV{TEST_LAUNCHER} "${box}/launcher")

# declare_all(<version of the toolkit> <host compiler>)
function(declare_all version host_compiler)
  declare(
    "set(TSB_CUDA_TOOLKIT_version ${version})
set(TSB_CUDA_TOOLKIT_nvcc \"${box}/trees/toolkit/bin/nvcc\")
set(TSB_CUDA_TOOLKIT_host_compiler \"${host_compiler}\")
tsb_load_model(--backend=cu124)
tsb_write_settings()
tsb_declare_package(cuda-toolkit DESCRIPTION \"T\" SOURCE toolkit BUILD_SYSTEM none STAGE_SCRIPTS \"${trees}/copy_source.cmake\" LICENSE_FILES LICENSE)
tsb_declare_package(m DESCRIPTION \"M\" SOURCE cm BUILD_SYSTEM make OPTIONS BUILDDIR=@BUILD_DIR@ DEPENDS cuda-toolkit STAGE_SCRIPTS \"${trees}/copy_build.cmake\" LICENSE_FILES LICENSE)
tsb_declare_package(c DESCRIPTION \"C\" SOURCE told NO_INSTALL DEPENDS cuda-toolkit STAGE_SCRIPTS \"${trees}/copy_build.cmake\" LICENSE_FILES LICENSE)"
    m
    c
  )
  configure()
endfunction()
set(nvcc "${build}/packages/cuda-toolkit/install/bin/nvcc")
find_program(cxx c++ REQUIRED)

# The compiler of everything else is nvcc's as well.
declare_all(12.4.131 "")
make(good m)
file(READ "${build}/packages/m/log/build.log" log)
set(tools "${build}/packages/m/tools")
tsb_expect("the log" CONTAINS "${log}" "launched: ${nvcc}")
tsb_expect("the log" CONTAINS "${log}" "nvcc of ${build}/packages/cuda-toolkit/install/bin: m.cpp")
tsb_expect("the log" CONTAINS "${log}" "launched: ${cxx}")
make(good c)
tsb_expect_file("what CMake got" EQUAL "${build}/packages/c/install/told.txt" "[${nvcc}][${cxx}][${box}/launcher]")

# Another one for nvcc, and another toolkit: both are inputs.
declare_all(12.4.131 "${box}/host-c++")
explain(
  "m: would run from phase configure on: toolchain CUDA_HOST_COMPILER_PROGRAMS: new:"
  "toolchain CUDA_HOST_COMPILER_VERSION: new: 11.4"
)
make(good m)
tsb_expect_file("the log" CONTAINS "${build}/packages/m/log/build.log" "host compiler: -c m.cpp")
make(good c)
tsb_expect_file(
  "what CMake got" EQUAL "${build}/packages/c/install/told.txt" "[${nvcc}][${box}/host-c++][${box}/launcher]"
)
declare_all(12.6.85 "${box}/host-c++")
explain("c: would run from phase configure on: toolchain CUDA_COMPILER_VERSION: was: 12.4.131")
# The same version, and another program.
make(good c)
file(WRITE "${box}/trees/toolkit/bin/ptxas" "another assembler")
declare_all(12.6.85 "${box}/host-c++")
explain("c: would run from phase configure on: toolchain CUDA_COMPILER_PROGRAMS: was:")
recorded_inputs(inputs m configure)
tsb_expect("the hooks" CONTAINS "${inputs}" "make_tools.cmake")
tsb_expect("the inputs" LACKS "${inputs}" "${TSB_TEST_DIR}")
