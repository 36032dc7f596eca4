# SPDX-License-Identifier: BSD-3-Clause
# Synthetic toolkits for tests: the files that a toolkit is known by, and an nvcc that answers --version,
# --list-gpu-arch and --dryrun, and "compiles" as the real one does where its headers do not go with the C library's.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(pytorch 2.6.0) # the release whose facts the tests with CUDA know

# find_toolkits(<root> <NAME=value of the environment>...): sets toolkits, the JSON array; the record of each is
# toolkit-<index>.json in the test's folder.
function(find_toolkits root)
  execute_process(
    COMMAND
      env -i "PATH=${TSB_TEST_DIR}/bin:/usr/bin:/bin" ${ARGN} /usr/bin/python3 -B "${TSB_SOURCE_DIR}/engine"
      "${TSB_SOURCE_DIR}/tests/cmake/cuda/find_toolkits.py" "${TSB_TEST_DIR}" "${root}" COMMAND_ERROR_IS_FATAL ANY
  )
  file(READ "${TSB_TEST_DIR}/toolkits.json" toolkits)
  return(PROPAGATE toolkits)
endfunction()

# executable(<file> <script>)
function(executable file script)
  file(WRITE "${file}" "#!/bin/sh\n${script}\n")
  file(CHMOD "${file}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

# cuda_tool(<file> <version>): one of nvcc's tools, which says its version and does nothing else.
function(cuda_tool file version)
  executable("${file}" "[ \"$1\" = --version ] && echo 'Cuda compilation tools, release ${version}, V${version}'")
endfunction()

# cxx_of_glibc(<file> <minor version>): a compiler that is gcc 13.2 and preprocesses everything to what <math.h> of this
# glibc 2.<minor version> is in one.
function(cxx_of_glibc file minor)
  set(text "#define __GNUC__ 13\\n#define __GNUC_MINOR__ 2\\n#define __GLIBC__ 2\\n#define __GLIBC_MINOR__ ${minor}")
  string(APPEND text "\\n extern double sin (double __x) noexcept (true);")
  if(minor GREATER_EQUAL 41)
    string(APPEND text "\\n extern double sinpi (double __x) noexcept (true); extern double __sinpi (double __x);")
  endif()
  executable("${file}" "printf '${text}\\n'")
endfunction()

# What an nvcc does for --dryrun -ccbin <compiler>.
set(
  nvcc_dryrun
  [=[
  here=${0%/*}
  echo '#$ _SPACE_= '
  echo "#$ CICC_PATH=$here/../nvvm/bin"
  echo "#$ PATH=$here/../nvvm/bin:$here:$PATH"
  echo "#$ \"${3%/*}\"/${3##*/} -E -x c++ -o \"a.ii\""
  echo '#$ cudafe++ --c++17 "a.ii"'
  echo '#$ "$CICC_PATH/cicc" --c++17'
  echo '#$ rm a.ii'
  for tool in ptxas fatbinary nvlink; do echo "#$ $tool -m64 "; done]=]
)

# fake_toolkit(<home> <version> [LAYOUT standard|distribution|conda|pip] [ARCHS <number>...] [GCC <greatest>] [CLANG
# <first too new>]): a complete toolkit of this version.
function(fake_toolkit home version)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "LAYOUT;GCC;CLANG" "ARCHS")
  if(NOT DEFINED arg_ARCHS)
    set(arg_ARCHS 50 60 70 75 80 86 89 90)
  endif()
  if(NOT DEFINED arg_GCC)
    set(arg_GCC 13)
  endif()
  if(NOT DEFINED arg_CLANG)
    set(arg_CLANG 18)
  endif()
  set(bin "${home}/bin")
  set(tools "${bin}")
  set(nvvm "${home}/nvvm/bin")
  set(libdevice "${home}/nvvm/libdevice")
  set(include "${home}/include")
  set(lib "${home}/lib64")
  if("${arg_LAYOUT}" STREQUAL "distribution")
    set(bin "${home}/lib/nvidia-cuda-toolkit/bin")
    set(nvvm "${bin}")
    set(libdevice "${home}/lib/nvidia-cuda-toolkit/libdevice")
    set(lib "${home}/lib/x86_64-linux-gnu")
    executable("${home}/bin/nvcc" "exec /usr/lib/nvidia-cuda-toolkit/bin/nvcc \"$@\"")
    # Debian's are among all other programs; one of these has an odd name.
    set(tools "${home}/bin")
    executable("${home}/bin/[" "exit 1")
    file(WRITE "${include}/stdio.h" "the C library's\n")
    file(WRITE "${lib}/libc.so" "the C library's\n")
    file(WRITE "${lib}/libcuda.so" "the driver's\n")
  elseif("${arg_LAYOUT}" STREQUAL "conda")
    set(include "${home}/targets/x86_64-linux/include")
    set(lib "${home}/targets/x86_64-linux/lib")
  elseif("${arg_LAYOUT}" STREQUAL "pip")
    set(lib "${home}/lib")
  endif()
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" release "${version}")
  list(TRANSFORM arg_ARCHS PREPEND "compute_")
  list(JOIN arg_ARCHS "\\n" archs)
  executable(
    "${bin}/nvcc"
    "case \"$1\" in
--version) echo 'Cuda compilation tools, release ${release}, V${version}';;
--list-gpu-arch) printf '${archs}\\n';;
--dryrun) ${nvcc_dryrun};;
-std=*)
  libc=$(\"$3\" -E)
  while read -r line; do
    case $line-$libc in
    *'sinpi(double x);'*'sinpi (double __x) noexcept'*)
      printf 'a note\\nmathcalls.h(79): error: exception specification is incompatible\\nanother error\\n'; exit 2;;
    esac
  done <\"\${0%/*}/../include/crt/math_functions.h\"
  ;;
*) exit 1;;
esac"
  )
  file(WRITE "${bin}/nvcc.profile" "NVVMIR_LIBRARY_DIR = /nowhere\n")
  foreach(program IN ITEMS ptxas fatbinary cudafe++ nvlink bin2c)
    cuda_tool("${tools}/${program}" ${version})
  endforeach()
  executable("${nvvm}/cicc" "exit 1")
  file(WRITE "${libdevice}/libdevice.10.bc" "")
  string(REPLACE "." ";" parts "${release}")
  list(GET parts 0 major)
  list(GET parts 1 minor)
  math(EXPR number "${major} * 1000 + ${minor} * 10")
  file(WRITE "${include}/cuda_runtime_api.h" "#define CUDART_VERSION  ${number}\n")
  file(
    WRITE "${include}/cublas_api.h"
    "#define CUBLAS_VER_MAJOR ${major}\n"
    "#define CUBLAS_VER_MINOR 4\n#define CUBLAS_VER_PATCH 5\n#define CUBLAS_VER_BUILD 8\n"
  )
  file(
    WRITE "${include}/crt/host_config.h"
    "#if __GNUC__ > ${arg_GCC}\n#error\n#endif\n"
    "#if (__clang_major__ >= ${arg_CLANG}) || (__clang_major__ < 3)\n#error\n#endif\n"
  )
  set(declaration "extern __DEVICE_FUNCTIONS_DECL__ __device_builtin__ double                ")
  file(
    WRITE "${include}/crt/math_functions.h" "${declaration} rsqrt(double x);\n${declaration} sin(double x) __THROW;\n"
                                            "${declaration} sinpi(double x);\n__func__(double sinpi(double a));\n"
  )
  file(WRITE "${include}/crt/math_functions.hpp" "__func__(double sinpi(double a))\n{ return 0; }\n")
  foreach(
    header IN ITEMS cuda.h cuda_runtime.h cublas_v2.h cufft.h curand.h cusolverDn.h cusparse.h nvrtc.h cupti.h
                    thrust/version.h cub/version.cuh nvtx3/nvToolsExt.h cudnn.h
  )
    file(WRITE "${include}/${header}" "")
  endforeach()
  foreach(library IN ITEMS cudart cublas cublasLt cufft curand cusolver cusparse nvrtc nvJitLink)
    file(WRITE "${lib}/lib${library}.so.${major}" "")
    if(NOT "${arg_LAYOUT}" STREQUAL "pip")
      file(CREATE_LINK lib${library}.so.${major} "${lib}/lib${library}.so" SYMBOLIC)
    endif()
  endforeach()
  if(version VERSION_LESS 12.9)
    file(WRITE "${lib}/libnvToolsExt.so" "")
  endif()
  foreach(library IN ITEMS cudart_static cudadevrt)
    file(WRITE "${lib}/lib${library}.a" "")
  endforeach()
  file(WRITE "${lib}/stubs/libcuda.so" "the stub")
  file(WRITE "${lib}/libcudnn.so.9" "")
endfunction()
