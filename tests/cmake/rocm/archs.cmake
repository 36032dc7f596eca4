# SPDX-License-Identifier: BSD-3-Clause
# The GPUs of TSB_ROCM_ARCHS, and each way to get them wrong, with its remedy.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/backends/rocm/cmake/tsb_rocm_archs.cmake")
set(release_backends_rocm_6.2_archs gfx906 gfx90a)
set(libraries "${TSB_TEST_DIR}/bitcode")
foreach(gpu IN ITEMS 900 906 90a 1100)
  file(WRITE "${libraries}/oclc_isa_version_${gpu}.bc" "")
endforeach()
set(options ROCM 6.2 DEVICE_LIBRARIES "${libraries}")

# expect_archs(<list> <GPUs>)
function(expect_archs list expected)
  tsb_rocm_archs(archs "${list}" ${options} ${ARGN})
  tsb_expect("GPUs of [${list}]" EQUAL "${archs} ${archs_ERROR}${archs_REMEDY}" "${expected} ")
endfunction()
# expect_fault(<list> <what> <remedy>)
function(expect_fault list what remedy)
  tsb_rocm_archs(archs "${list}" ${options} ${ARGN})
  tsb_expect("fault of [${list}]" EQUAL "${archs_ERROR} -> ${archs_REMEDY}" "${what} -> ${remedy}")
endfunction()

expect_archs("" "gfx906;gfx90a")
expect_archs("gfx1100;gfx90a;gfx906" "gfx1100;gfx90a;gfx906")

# GPUs that this ROCm does not know.
expect_fault(
  "gfx90a;gfx950" "ROCm 6.2 does not know gfx950, only gfx90a gfx900 gfx906 gfx1100"
  "take it out of TSB_ROCM_ARCHS, or take another ROCm"
)
file(REMOVE "${libraries}/oclc_isa_version_906.bc")
expect_fault(
  "" "ROCm 6.2 does not know gfx906, only gfx90a gfx900 gfx1100"
  "set TSB_ROCM_ARCHS to some of these, or take another ROCm"
)

# GPUs that rocBLAS has no kernels for: a name that goes on is another GPU's.
set(folder "${TSB_TEST_DIR}/gfx90a.d/library")
set(remedy "install rocBLAS with kernels for gfx90a, or take it out of TSB_ROCM_ARCHS")
file(MAKE_DIRECTORY "${folder}")
expect_fault(
  "gfx90a" "rocBLAS has no kernels for gfx90a in ${folder}; for others: none" "${remedy}" KERNELS "${folder}"
)
foreach(file IN ITEMS TensileLibrary.dat a_gfx90a68.dat Kernels.so-000-gfx900-xnack-.hsaco TensileLibrary_gfx1100.dat)
  file(WRITE "${folder}/${file}" "")
endforeach()
expect_fault(
  "gfx1100;gfx90a" "rocBLAS has no kernels for gfx90a in ${folder}; for others: gfx90a68 gfx900 gfx1100" "${remedy}"
  KERNELS "${folder}"
)
foreach(
  name IN ITEMS TensileLibrary_lazy_gfx90a.dat TensileLibrary_gfx90a.co Kernels.so-000-gfx90a-xnack+.hsaco
                a_fallback_gfx90a-xnack-.hsaco
)
  file(WRITE "${TSB_TEST_DIR}/${name}/${name}" "")
  expect_archs("gfx1100;gfx90a" "gfx1100;gfx90a" KERNELS "${folder}" "${TSB_TEST_DIR}/${name}")
endforeach()
