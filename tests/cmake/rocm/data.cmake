# SPDX-License-Identifier: BSD-3-Clause
# What ROCm's libraries load keeps its place beside them, also where a distribution has it; for the chosen GPUs only.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/tests/fixtures/rocm.cmake")
include("${TSB_SOURCE_DIR}/backends/rocm/cmake/tsb_find_rocm_toolkits.cmake")
include("${TSB_SOURCE_DIR}/packaging/backend/z_tsb_backend_packages.cmake")
include("${TSB_SOURCE_DIR}/backends/rocm/hooks/data.cmake")

# expect_data(<layout> <rocBLAS's folder in ROCm> <... in the tree>)
function(expect_data layout folder place)
  set(home "${TSB_TEST_DIR}/${layout}/usr")
  make_rocm("${home}" 7.2.4 LAYOUT ${layout})
  file(WRITE "${home}/share/miopen/db/gfx90a68.db" "")
  z_tsb_describe_rocm_toolkit(toolkit "${home}" ${layout})
  set(package "{}")
  z_tsb_json_set_string(package machine "${toolkit}")
  file(WRITE "${TSB_TEST_DIR}/${layout}/packages/rocm-toolkit/package.json" "${package}")
  set(backend_configured_archs gfx90a)
  set(artifact_build_folder "${TSB_TEST_DIR}/${layout}")
  z_tsb_rocm_data(pairs)
  list(SORT pairs)
  tsb_expect(
    "${layout}" EQUAL "${pairs}"
    "${home}/${folder}/TensileLibrary_lazy_gfx90a.dat=${place};${home}/share/miopen/db/gfx90a68.db=share/miopen/db"
  )
endfunction()
expect_data(standard lib/rocblas/library lib/rocblas/library)
expect_data(distribution lib/x86_64-linux-gnu/rocblas/5/library lib/rocblas/5/library)
