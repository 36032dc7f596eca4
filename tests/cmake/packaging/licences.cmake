# SPDX-License-Identifier: BSD-3-Clause
# The licences of bundled libraries: the text that the distribution has for the package, and which package that is.
# Those of what was built are tested in tests/cmake/sbom.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
include("${TSB_SOURCE_DIR}/cmake/detail/z_tsb_write_file.cmake")
include("${TSB_SOURCE_DIR}/packaging/tree/z_tsb_libtorch_licenses.cmake")
# As Debian gives it to its users: ldconfig is in /sbin.
set(ENV{PATH} /usr/local/bin:/usr/bin:/bin)
set(root "${TSB_TEST_DIR}/root")
set(report "${TSB_TEST_DIR}/report.json")
set(owners "${TSB_TEST_DIR}/owners.json")
if(UNKNOWN)
  file(WRITE "${report}" [[{"bundled": [{"name": "libnobody-1234.so.1", "from": "libnobody.so.1"}]}]])
  z_tsb_libtorch_licenses("{}" "${root}" "${report}" "${owners}")
  return()
endif()

file(WRITE "${report}" [[{"bundled": []}]])
z_tsb_libtorch_licenses("{}" "${root}" "${report}" "${owners}")
tsb_expect("licences of nothing" ABSENT "${root}/share/licenses")
tsb_expect_file("owners of nothing" EQUAL "${owners}" "{}\n")

# libstdc++ is on every machine that can run this.
z_tsb_system_package(owner libstdc++.so.6)
if(NOT owner_license)
  message("SKIP: this distribution has no licence texts for its libraries")
  return()
endif()
file(WRITE "${report}" [[{"bundled": [{"name": "libstdc++-1234.so.6", "from": "libstdc++.so.6"}]}]])
z_tsb_libtorch_licenses("{}" "${root}" "${report}" "${owners}")
tsb_expect_file("the text" CONTAINS "${root}/share/licenses/libstdc++-1234/copyright" "GCC")
file(READ "${owners}" text)
string(JSON package GET "${text}" libstdc++.so.6 package)
string(JSON version GET "${text}" libstdc++.so.6 version)
tsb_expect("the owner" CONTAINS "${package}" "libstdc++")
if(NOT version MATCHES "^[0-9]+\\.")
  message(FATAL_ERROR "the owner's version: ${version}")
endif()
