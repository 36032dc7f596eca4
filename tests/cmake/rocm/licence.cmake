# SPDX-License-Identifier: BSD-3-Clause
# Where the licence text of a library is: a distribution has it in a folder called after the package, and that after the
# SONAME or the component.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/cmake/backend/z_tsb_backend_libraries.cmake")
include("${TSB_SOURCE_DIR}/packaging/backend/z_tsb_backend_packages.cmake")
include("${TSB_SOURCE_DIR}/backends/rocm/hooks/license.cmake")
set(doc "${TSB_TEST_DIR}/usr/share/doc")
file(
  WRITE "${TSB_TEST_DIR}/packages/rocm-toolkit/package.json"
  "{\"machine\": \"{\\\"home\\\": \\\"${TSB_TEST_DIR}/usr\\\"}\"}"
)
set(artifact_build_folder "${TSB_TEST_DIR}")
foreach(
  pair IN
  ITEMS
    librocblas.so.5=librocblas5 libMIOpen.so.1=libmiopen1 libamdhip64.so.7=libamdhip64-7
    libamd_comgr.so.3=libamd-comgr3 librocm_smi64.so.7=librocm-smi64-7 libhiprtc.so.7=libhiprtc7 rocprim=librocprim-dev
    composable_kernel=libcomposable-kernel-dev
)
  string(REPLACE "=" ";" pair "${pair}")
  list(POP_FRONT pair soname package)
  file(WRITE "${doc}/${package}/copyright" "terms\n")
  file(WRITE "${doc}/${package}0/copyright" "others\n")
  z_tsb_rocm_license(text rocm-toolkit "/usr/lib/${soname}" ${soname})
  tsb_expect("${soname}" EQUAL "${text}" "${doc}/${package}/copyright")
endforeach()
# AMD's own packages, which go before.
foreach(
  pair IN
  ITEMS
    librocblas.so.5=rocblas rocprim=rocprim composable_kernel=composablekernel libhsa-runtime64.so.1=hsa-runtime64
    libhsa-runtime64.so.1=hsa-rocr libhiprtc.so.7=hip libroctx64.so.4=roctracer librocm_smi64.so.7=rocm-smi-lib
    libMIOpen.so.1=miopen-hip libamd_comgr.so.3=amd_comgr/comgr libamd_comgr.so.3=amd_comgr
)
  string(REPLACE "=" ";" pair "${pair}")
  list(POP_FRONT pair soname folder)
  file(WRITE "${doc}/${folder}/LICENSE.txt" "terms\n")
  z_tsb_rocm_license(text rocm-toolkit "/usr/lib/${soname}" ${soname})
  tsb_expect("AMD's ${soname}" EQUAL "${text}" "${doc}/${folder}/LICENSE.txt")
endforeach()
