# SPDX-License-Identifier: BSD-3-Clause
# Which ROCm is taken, and what is said where none can be: none, another version, two, ROCM_PATH, a part that is missing
# or of another version, unknown GPUs, a hipcc that does not compile.
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
file(WRITE ${root}/usr/share/cmake/others/others-config.cmake "")
rocm_doctor(${all})
tsb_expect("components of others" LACKS "${output}" "others")
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

# Two: the first by the documented order, and it is said; a link to it does not count. ROCM_PATH decides.
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
rocm_doctor(CHECKS rocm_toolkit ENVIRONMENT ROCM_PATH=${root}/opt/rocm-6.1.2)
fails(
  1 "ROCm toolkit: ROCM_PATH is ${root}/opt/rocm-6.1.2, which is ROCm 6.1.2, but this preset is for 6.2"
  "-> name a toolkit 6.2, or unset it: it is looked for then"
)
rocm_doctor(CHECKS rocm_toolkit ENVIRONMENT ROCM_PATH=/nowhere)
fails(
  1 "ROCM_PATH is /nowhere, but it lacks include/rocm-core/rocm_version.h, its clang, the device libraries (ocml.bc)"
)
rocm_doctor(CHECKS rocm_toolkit ENVIRONMENT ROCM_PATH=opt/rocm)
fails(1 "ROCM_PATH is opt/rocm, but it is not the absolute path of one folder")

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

# Parts without which nothing compiles.
file(REMOVE_RECURSE ${rocm}/llvm ${rocm}/amdgcn/bitcode/ocml.bc)
rocm_doctor(${all})
fails(1 "found: 6.2.4 in ${root}/opt/rocm (/opt), but it lacks its clang, the device libraries (ocml.bc)")
make_rocm(${rocm} 6.2.4)

# GPUs.
set(archs CHECKS rocm_toolkit rocm_archs ENVIRONMENT)
rocm_doctor(${archs} "TSB_ROCM_ARCHS=gfx1100, gfx90a")
passes("TSB_ROCM_ARCHS is [gfx1100;gfx90a]")
rocm_doctor(${archs} "TSB_ROCM_ARCHS=gfx90a\tgfx950")
fails(
  1 "TSB_ROCM_ARCHS is \"gfx90a gfx950\": ROCm 6.2 does not know gfx950, only gfx90a gfx906 gfx1100"
  "-> take it out of TSB_ROCM_ARCHS"
)
tsb_expect("nothing exported" LACKS "${output}" "TSB_ROCM_ARCHS is [")
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
file(WRITE ${rocm}/refused "a note\nclang++: not found \n\n")
rocm_doctor(${all})
fails(1 "does not compile for gfx906 gfx90a: the compiler ended with 1: clang++: not found\n")
file(CHMOD ${rocm}/bin/hipcc PERMISSIONS OWNER_READ)
rocm_doctor(${all})
fails(1 "the compiler ended with 126: " "env: " "bin/hipcc" "Permission denied")
rocm_doctor(${all} ENVIRONMENT TMPDIR=${TSB_TEST_DIR}/none)
fails(
  1 "ROCm: the folder for temporary files, ${TSB_TEST_DIR}/none, cannot be written to: No such file or directory"
  "-> set TMPDIR to a folder that can be, or unset it: /tmp is taken then"
)
tsb_expect("what the doctor changes" ABSENT ${TSB_TEST_DIR}/none)
rocm_doctor(${all} ENVIRONMENT TSB_DOCTOR_SKIP=rocm_compile)
passes("-- rocm_compile: skipped (TSB_DOCTOR_SKIP)")
rocm_doctor(${all} ENVIRONMENT TSB_DOCTOR_SKIP=rocm_toolkit)
fails(1 "rocm_toolkit: TSB_DOCTOR_SKIP names it, but the check finds what the build is given")

# A second configure does not compile again, unless the list has changed.
make_rocm(${rocm} 6.2.4)
file(REMOVE ${rocm}/refused)
file(
  WRITE ${TSB_TEST_DIR}/project/CMakeLists.txt
  "cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/cmake/backend/tsb_find_backend.cmake)
include(${TSB_SOURCE_DIR}/cmake/doctor/tsb_doctor.cmake)
project(p LANGUAGES NONE)
tsb_find_backend(backend rocm6.2)
tsb_doctor(CHECKS rocm_toolkit rocm_archs rocm_compile PYTORCH_VERSION 9.9.0 BACKEND \"\${backend}\" ROOT ${root})
"
)
foreach(archs IN ITEMS gfx906 gfx906 gfx90a)
  tsb_run(
    status output ${CMAKE_COMMAND} -E env "PATH=${bin}" --unset=ROCM_PATH --unset=HIP_CLANG_PATH
    TSB_ADDITIONS=${additions} TMPDIR=${TSB_TEST_DIR}/tmp TSB_ROCM_ARCHS=${archs} ${CMAKE_COMMAND} -S
    ${TSB_TEST_DIR}/project -B ${TSB_TEST_DIR}/build -G "Unix Makefiles" -DCMAKE_MAKE_PROGRAM=make
  )
  if(archs STREQUAL "gfx906")
    passes("compiles for gfx906")
    file(WRITE ${rocm}/refused "error: not now\n")
  else()
    fails(1 "does not compile for gfx90a: error: not now")
  endif()
endforeach()
