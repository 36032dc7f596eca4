# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../python/tsb_call_python.cmake)

# z_tsb_collect_licenses([CONFIGURED|STAGED])
#
# Asks the licence gate about the package's unpacked sources (engine/sbom/check_sources.py), and copies the licence
# texts of the package and of every source in its tree to licenses/<package or source>/. What the gate finds is an
# error: an artifact without the licence text of what is in it must not be shipped.
#
# It runs as soon as the sources are unpacked and, with CONFIGURED, when it is known what the build will compile into
# its shared libraries, so that nobody compiles for an hour before the error; and with STAGED again when the package is
# staged, for what is kept in the store, and about the headers that the compiler read.
function(z_tsb_collect_licenses)
  file(REMOVE_RECURSE "${TSB_PACKAGE_DIR}/licenses")
  set(options --package "${TSB_PACKAGE_DIR}" --collect "${TSB_PACKAGE_DIR}/licenses")
  # What is not installed by CMake may have install rules of which nothing is used.
  if("CONFIGURED" IN_LIST ARGN AND EXISTS "${TSB_PACKAGE_DIR}/build/build.ninja" AND NOT package_no_install)
    list(APPEND options --configured)
  elseif("STAGED" IN_LIST ARGN AND EXISTS "${TSB_PACKAGE_DIR}/install/share/torch-superbuild/linked.json")
    list(APPEND options --staged)
  endif()
  tsb_call_python("${package_build_folder}" sbom.check_sources ${options})
endfunction()
