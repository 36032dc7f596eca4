# SPDX-License-Identifier: BSD-3-Clause
# What conda packages the libraries of a tree need of their host, by their symbols. A stand-in for torchpkg tells these.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/detail/z_tsb_json.cmake)
include(${TSB_SOURCE_DIR}/packaging/conda/z_tsb_conda_info.cmake)
set(torchpkg "${TSB_TEST_DIR}/torchpkg")
file(WRITE "${torchpkg}" "#!/bin/sh\ncat '${TSB_TEST_DIR}/inspected.json'\n")
file(CHMOD "${torchpkg}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(WRITE "${TSB_TEST_DIR}/settings.json" "{\"torchpkg\": \"${torchpkg}\"}")

# packages(<out-var> <library as torchpkg inspect tells it>...)
function(packages out)
  string(JOIN ", " libraries ${ARGN})
  file(WRITE "${TSB_TEST_DIR}/inspected.json" "{\"elf_files\": [${libraries}]}")
  z_tsb_conda_host_packages(found "{\"build_folder\": \"${TSB_TEST_DIR}\"}" "${TSB_TEST_DIR}/tree")
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# library(<out-var> <GLIBC> <GLIBCXX> <CXXABI> <needed>)
function(
  library
  out
  glibc
  glibcxx
  cxxabi
  needed
)
  set(versions "{\"GLIBC\": \"${glibc}\", \"GLIBCXX\": \"${glibcxx}\", \"CXXABI\": \"${cxxabi}\"}")
  set(${out} "{\"needed\": [${needed}], \"highest_versions\": ${versions}}" PARENT_SCOPE)
endfunction()

library(old 2.2.5 3.4.9 "" "")
packages(found "${old}")
tsb_expect("old symbols" EQUAL "${found}" "__glibc >=2.17,<3.0.a0;libgcc >=5;libstdcxx >=5")
library(new 2.34 3.4.30 1.3.9 "\"libgomp.so.1\"")
packages(found "${old}" "${new}" "${old}")
tsb_expect("the newest of all" EQUAL "${found}" "__glibc >=2.34,<3.0.a0;libgcc >=12;libstdcxx >=12;_openmp_mutex >=4.5")
# 13.1 has no GLIBCXX_3.4.32.
library(patch 2.34 3.4.32 1.3.14 "")
packages(found "${patch}")
tsb_expect("a version of a patch release" EQUAL "${found}" "__glibc >=2.34,<3.0.a0;libgcc >=13.2;libstdcxx >=13.2")
library(abi 2.34 3.4.29 1.3.15 "")
packages(found "${abi}")
tsb_expect("CXXABI" EQUAL "${found}" "__glibc >=2.34,<3.0.a0;libgcc >=14;libstdcxx >=14")
