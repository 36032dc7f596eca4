# SPDX-License-Identifier: BSD-3-Clause
# The licences of all packages, and of a bundled library the text that the distribution has for its package.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
foreach(file IN ITEMS z_tsb_libtorch_licenses)
  include("${TSB_SOURCE_DIR}/packaging/libtorch/${file}.cmake")
endforeach()
set(build "${TSB_TEST_DIR}/a build")
set(root "${TSB_TEST_DIR}/root")
file(WRITE "${build}/packages/pytorch/package.json" "{\"depends\": [\"sleef\"]}")
file(WRITE "${build}/packages/sleef/package.json" "{\"depends\": []}")
file(WRITE "${build}/packages/unused/package.json" "{\"depends\": []}")
foreach(
  file
  IN
  ITEMS
    pytorch/licenses/pytorch/LICENSE
    pytorch/licenses/fmt/LICENSE
    sleef/licenses/sleef/LICENSE.txt
    unused/licenses/unused/LICENSE
)
  file(WRITE "${build}/packages/${file}" "${file}\n")
endforeach()
file(MAKE_DIRECTORY "${root}/share")
set(artifact "{}")
z_tsb_json_set_string(artifact build_folder "${build}")
if(UNKNOWN)
  file(WRITE "${TSB_TEST_DIR}/report.json" [[{"bundled": [{"name": "libnobody-1234.so.1", "from": "libnobody.so.1"}]}]])
  z_tsb_libtorch_licenses("${artifact}" "${root}" "${TSB_TEST_DIR}/report.json")
  return()
endif()

file(WRITE "${TSB_TEST_DIR}/report.json" [[{"bundled": []}]])
z_tsb_libtorch_licenses("${artifact}" "${root}" "${TSB_TEST_DIR}/report.json")
file(GLOB_RECURSE found RELATIVE "${root}/share/licenses" "${root}/share/licenses/*")
tsb_expect("licences" EQUAL "${found}" "fmt/LICENSE;pytorch/LICENSE;sleef/LICENSE.txt")

# libstdc++ is on every machine that can run this.
z_tsb_find_system_license(file libstdc++.so.6)
if(NOT file)
  message("SKIP: this distribution has no licence texts for its libraries")
  return()
endif()
file(WRITE "${TSB_TEST_DIR}/report.json" [[{"bundled": [{"name": "libstdc++-1234.so.6", "from": "libstdc++.so.6"}]}]])
z_tsb_libtorch_licenses("${artifact}" "${root}" "${TSB_TEST_DIR}/report.json")
file(READ "${root}/share/licenses/libstdc++-1234/copyright" text)
tsb_expect("the text" CONTAINS "${text}" "GCC")
