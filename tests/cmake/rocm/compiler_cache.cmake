# SPDX-License-Identifier: BSD-3-Clause
# With a compiler cache hipcc starts a clang++ that goes through it, and that has the device libraries looked at;
# without one the toolkit's.
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
set(z_tsb_cmake "${TSB_SOURCE_DIR}/cmake")
include("${z_tsb_cmake}/detail/z_tsb_json.cmake")
include("${z_tsb_cmake}/detail/z_tsb_write_file.cmake")
include("${z_tsb_cmake}/model/tsb_read_record.cmake")
include("${z_tsb_cmake}/package/phases/configure/z_tsb_run.cmake")
include("${z_tsb_cmake}/package/phases/configure/z_tsb_make_tools.cmake")
include("${TSB_SOURCE_DIR}/backends/rocm/hooks/cmake_options.cmake")
set(TSB_PACKAGE_DIR "${TSB_TEST_DIR}/packages/a package")
set(rocm "${TSB_TEST_DIR}/packages/rocm-toolkit/install/rocm")
file(
  WRITE "${TSB_PACKAGE_DIR}/package.json"
  [[{"environment": ["HIP_PLATFORM=amd", "HIP_CLANG_PATH=@PREFIX_rocm-toolkit@/rocm/llvm/bin",
     "HIP_DEVICE_LIB_PATH=@PREFIX_rocm-toolkit@/rocm/amdgcn/bitcode"]}]]
)
z_tsb_rocm_cmake_options(options)
tsb_expect("without a cache" EQUAL "${options}" "-DHIP_CXX_COMPILER=${rocm}/llvm/bin/clang++")

set(cache "${TSB_TEST_DIR}/a cache")
file(WRITE "${cache}" "#!/bin/sh\nprintf '%s ' \"$CCACHE_EXTRAFILES\"\nprintf '<%s>' \"$@\"\n")
file(CHMOD "${cache}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(settings_compiler_cache "${cache}")
z_tsb_rocm_cmake_options(options)
set(clang "${TSB_PACKAGE_DIR}/tools/clang++")
tsb_expect("with one" EQUAL "${options}" "-DHIP_CXX_COMPILER=${clang}")
set(libraries "${rocm}/amdgcn/bitcode/ocml.bc:${rocm}/amdgcn/bitcode/ockl.bc")
foreach(mine IN ITEMS "" "/mine")
  set(ENV{CCACHE_EXTRAFILES} "${mine}")
  tsb_run(status output "${clang}" -c "a b.hip")
  set(expected "${libraries}")
  if(mine)
    string(APPEND expected ":${mine}")
  endif()
  tsb_expect("what the cache gets" EQUAL "${output}" "${expected} <${rocm}/llvm/bin/clang++><-c><a b.hip>")
endforeach()
