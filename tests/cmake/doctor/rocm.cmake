# SPDX-License-Identifier: BSD-3-Clause
# Which ROCm is taken, and the message where none can be: a part that is missing or of another version, unknown GPUs, a
# hipcc that does not compile. (What is as with CUDA: cuda_toolkit.cmake, cuda_compile.cmake.)
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
include(${TSB_SOURCE_DIR}/tests/fixtures/rocm.cmake)
set(root ${TSB_TEST_DIR}/root)
file(MAKE_DIRECTORY ${bin} ${root} ${TSB_TEST_DIR}/tmp)
tool_of_machine(env cat mktemp rm)
tool(c++ "exit 0")
# A release that is built for ROCm 6.2.
set(additions ${TSB_TEST_DIR}/additions)
file(
  WRITE ${additions}/releases/9.9.0/release.json
  [[{"cxx_standard": "17", "libtorch_zip": "x", "pythons": [], "backends": {"rocm": {"6.2": {"archs": ["gfx906", "gfx90a"]}}}}]]
)

# rocm_doctor([ENVIRONMENT <NAME=value>...] <check>...): for 6.2.
function(rocm_doctor)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "ENVIRONMENT;CHECKS")
  doctor(
    --unset=ROCM_PATH --unset=HIP_CLANG_PATH --unset=TSB_ROCM_ARCHS TSB_ADDITIONS=${additions}
    TMPDIR=${TSB_TEST_DIR}/tmp ${arg_ENVIRONMENT} BACKEND rocm 6.2 ARGUMENTS CHECKS ${arg_CHECKS} PYTORCH_VERSION 9.9.0
    ROOT ${root}
  )
  return(PROPAGATE status output)
endfunction()
set(all CHECKS rocm_toolkit rocm_archs rocm_compile)

# None, and others.
rocm_doctor(${all})
fails(
  1 "ROCm toolkit: 6.2 is needed, and there is none here"
  "-> install all of ROCm 6.2 (https://rocm.docs.amd.com), or name one in ROCM_PATH"
)
tsb_expect("nothing exported" LACKS "${output}" "TSB_ROCM_TOOLKIT is")
make_rocm(${root}/opt/rocm-6.1.2 6.1.2)
make_rocm(${root}/usr 7.2.4 LAYOUT distribution)
rocm_doctor(CHECKS rocm_toolkit)
fails(
  1 "ROCm toolkit: 6.2 is needed, found: 6.1.2 in ${root}/opt/rocm-6.1.2 (/opt); 7.2.4 in ${root}/usr (distribution)"
)
rocm_doctor(CHECKS rocm_toolkit ENVIRONMENT HIP_CLANG_PATH=/nowhere)
fails(
  1 "7.2.4 in ${root}/usr (distribution), but it lacks clang++ in HIP_CLANG_PATH, which is /nowhere"
  "-> or set HIP_CLANG_PATH to the absolute path of a folder with ROCm's clang++, or unset it"
)

# Found, in both layouts; the others are named.
file(REMOVE_RECURSE ${root}/usr)
make_rocm(${root}/usr 6.2.4 LAYOUT distribution)
rocm_doctor(${all})
passes(
  "-- ROCm toolkit: 6.2.4 in ${root}/usr (distribution)"
  "not for this preset: 6.1.2 in ${root}/opt/rocm-6.1.2 (/opt)"
  "\"clang\" : \"${root}/usr/lib/llvm-22/bin\""
  "\"configs\" : \"${root}/usr/lib/x86_64-linux-gnu/cmake\""
  "\"layout\" : \"distribution\""
  "\"rocblas\" : \"4.2.4\""
  "\"amd_comgr\" : \"unknown\""
  "\"rocprim\" : \"3.2.4\""
  "\"kernels\" : [ \"rocblas/5/library\" ]"
)
make_rocm(${root}/opt/rocm-6.2.4 6.2.4)
file(CREATE_LINK rocm-6.2.4 ${root}/opt/rocm SYMBOLIC)

# Two: the first by the documented order, and a line says so; a link to it does not count. ROCM_PATH decides.
rocm_doctor(${all})
passes(
  "-- ROCm toolkit: 6.2.4 in ${root}/opt/rocm (/opt)"
  "the first of several 6.2; ROCM_PATH would take another one: 6.2.4 in ${root}/usr (distribution)"
  "TSB_ROCM_TOOLKIT is"
  "\"layout\" : \"standard\""
  "ROCm architectures: gfx906 gfx90a"
  "TSB_ROCM_ARCHS is [gfx906;gfx90a]"
  "ROCm: ${root}/opt/rocm/bin/hipcc with ${root}/opt/rocm/llvm/bin compiles for gfx906 gfx90a"
)
rocm_doctor(CHECKS rocm_toolkit ENVIRONMENT ROCM_PATH=${root}/usr/)
passes("-- ROCm toolkit: 6.2.4 in ${root}/usr (ROCM_PATH)" "\"layout\" : \"distribution\"")

# Components: missing, and of another version.
set(rocm ${root}/opt/rocm-6.2.4)
file(
  REMOVE_RECURSE ${rocm}/lib/cmake/hipblaslt ${rocm}/lib/cmake/miopen ${rocm}/include/ck ${rocm}/lib/rocblas
  ${root}/usr
)
file(WRITE ${rocm}/lib/cmake/rocblas/rocblas-config-version.cmake "set(PACKAGE_VERSION \"4.1.2\")\n")
file(WRITE ${rocm}/lib/cmake/rccl/rccl-config-version.cmake "set(PACKAGE_VERSION \"2.200.1\")\n")
rocm_doctor(${all})
fails(
  2
  "ROCm toolkit: 6.2.4 in ${root}/opt/rocm (/opt) lacks miopen, hipblaslt, ck/ck.hpp, ${root}/opt/rocm/lib/rocblas/library"
  "-> install these components of the same ROCm, with their files for CMake"
  "not of ROCm 6.2, whose versions are in brackets: rocblas 4.1.2 (4.2), rccl 2.200.1 (2.20)"
  "-> install all components from one ROCm"
)

# An incomplete one does not hide a complete one, unless ROCM_PATH names it.
make_rocm(${root}/opt/rocm-6.2.3 6.2.3)
rocm_doctor(CHECKS rocm_toolkit)
passes(
  "-- ROCm toolkit: 6.2.3 in ${root}/opt/rocm-6.2.3 (/opt)"
  "not for this preset: 6.2.4 in ${root}/opt/rocm (/opt), but it lacks miopen, hipblaslt, ck/ck.hpp"
  "/rocblas/library and has components that are not of ROCm 6.2" "rccl 2.200.1 (2.20); 6.1.2 in"
)
rocm_doctor(CHECKS rocm_toolkit ENVIRONMENT ROCM_PATH=${rocm})
fails(2 "ROCm toolkit: 6.2.4 in ${rocm} (ROCM_PATH) lacks miopen")
file(REMOVE_RECURSE ${rocm} ${root}/opt/rocm-6.2.3)
make_rocm(${rocm} 6.2.4)

# GPUs. (tests/cmake/rocm/archs.cmake has what can be wrong with the list.)
rocm_doctor(CHECKS rocm_toolkit rocm_archs ENVIRONMENT "TSB_ROCM_ARCHS=gfx1100, gfx90a")
passes("TSB_ROCM_ARCHS is [gfx1100;gfx90a]")
file(REMOVE ${rocm}/lib/rocblas/library/TensileLibrary_lazy_gfx906.dat)
rocm_doctor(CHECKS rocm_toolkit rocm_archs)
fails(
  1 "ROCm architectures: rocBLAS has no kernels for gfx906 in ${root}/opt/rocm/lib/rocblas/library; for others: gfx90a"
  "-> install rocBLAS with kernels for gfx906, or set TSB_ROCM_ARCHS to some of these"
)
make_rocm(${rocm} 6.2.4)

# A hipcc that does not compile.
file(WRITE ${rocm}/refused "a note\nclang: error: cannot find HIP runtime\nanother error\n")
rocm_doctor(${all})
fails(
  1 "does not compile for gfx906 gfx90a: clang: error: cannot find HIP runtime\n"
  "-> name another ROCm in ROCM_PATH, or other GPUs in TSB_ROCM_ARCHS" "-> or try anyway: TSB_DOCTOR_SKIP=rocm_compile"
)
file(GLOB left ${TSB_TEST_DIR}/tmp/*)
tsb_expect("nothing left" EQUAL "${left}" "")
file(CHMOD ${rocm}/bin/hipcc PERMISSIONS OWNER_READ)
rocm_doctor(${all})
fails(1 "the compiler ended with 126: " "env: " "bin/hipcc" "Permission denied")
