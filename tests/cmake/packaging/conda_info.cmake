# SPDX-License-Identifier: BSD-3-Clause
# What a conda package says about the machine that it is for comes from the artifact's target.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
foreach(file IN ITEMS cmake/detail/z_tsb_json cmake/detail/z_tsb_write_file packaging/conda/metadata)
  include("${TSB_SOURCE_DIR}/${file}.cmake")
endforeach()
file(READ "${TSB_SOURCE_DIR}/tests/fixtures/additions-target/targets/madeup64.json" target)
file(WRITE "${TSB_TEST_DIR}/packages/pytorch/manifest.json" "{\"fingerprint\": \"0123\"}")
file(READ "${TSB_SOURCE_DIR}/backends/cpu/backend.json" backend)
set(artifact "{\"release\": \"2.6.0\", \"blas\": \"openblas\", \"backend\": ${backend}, \"target\": ${target}}")
z_tsb_json_set_string(artifact build_folder "${TSB_TEST_DIR}")
z_tsb_conda_build_string(build "${artifact}" "")
z_tsb_conda_metadata(
  "${artifact}" "${TSB_TEST_DIR}/info"
  NAME libtorch
  BUILD "${build}"
  SUMMARY "libtorch"
)
string(REGEX REPLACE "_h[0-9a-f]+_" "_h_" build "${build}")
tsb_expect("the build string" EQUAL "${build}" "cpu_openblas_h_0")
file(READ "${TSB_TEST_DIR}/info/index.json" index)
foreach(pair IN ITEMS "arch;madeup64" "subdir;linux-64" "platform;linux")
  list(GET pair 0 member)
  list(GET pair 1 expected)
  string(JSON value GET "${index}" ${member})
  tsb_expect("${member}" EQUAL "${value}" "${expected}")
endforeach()
file(READ "${TSB_TEST_DIR}/info/hash_input.json" input)
string(JSON value GET "${input}" target_platform)
tsb_expect("the platform in the hash" EQUAL "${value}" "linux-64")
