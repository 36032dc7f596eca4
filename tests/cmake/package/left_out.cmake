# SPDX-License-Identifier: BSD-3-Clause
# A package that a feature needs (PACKAGES) is built when its source is available, and left out when not: the feature is
# off, with the reason and what is done instead, and nothing finds what an earlier run installed.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
file(
  APPEND "${box}/trees/b/CMakeLists.txt"
  [[
file(WRITE "${CMAKE_BINARY_DIR}/told.txt" "USE_D=${USE_D} [${CMAKE_PREFIX_PATH}]")
]]
)
file(WRITE "${box}/trees/d/LICENSE" "licence of d\n")
file(WRITE "${box}/fill.cmake" [[file(COPY "${TSB_SOURCE_DIR}/LICENSE" DESTINATION "${TSB_INSTALL_DIR}")]])
add_source(a 1.0)
add_source(b 1.0)
add_missing_source(d)
set(
  declarations
  "${declaration_of_a})
tsb_declare_package(d DESCRIPTION \"D\" SOURCE d PROVIDES d BUILD_SYSTEM none STAGE_SCRIPTS \"${box}/fill.cmake\" LICENSE_FILES LICENSE)
tsb_declare_package(b DESCRIPTION \"B\" SOURCE b DEPENDS a d LICENSE_FILES COPYING)
tsb_declare_feature(b D OPTION USE_D PACKAGES d WITHOUT \"b counts by itself\")"
)
declare("${declarations}" b)
configure()

# expect_feature(<what> <enabled> <reason>): in the manifest.
function(expect_feature what enabled reason)
  file(READ "${build}/packages/b/manifest.json" manifest)
  string(JSON found GET "${manifest}" features D enabled)
  string(JSON found_reason ERROR_VARIABLE ignored GET "${manifest}" features D reason)
  tsb_expect("D in the manifest, ${what}" EQUAL "${found}" "${enabled}")
  if(reason)
    tsb_expect("the reason in the manifest, ${what}" EQUAL "${found_reason}" "${reason}")
  endif()
endfunction()
function(expect_told what enabled finds)
  file(READ "${build}/packages/b/build/told.txt" told)
  tsb_expect("what b got, ${what}" CONTAINS "${told}" "USE_D=${enabled}")
  tsb_expect("where b finds packages, ${what}" ${finds} "${told}" "packages/d/install")
endfunction()

# No provider has it.
make(good b)
tsb_expect("output" CONTAINS "${output}" "d 1 is not available, so feature D of package b is off")
tsb_expect("output" CONTAINS "${output}" "b: feature D is off: b counts by itself: no provider has the sources of d")
expect_ran("without d" a-configure a-build a-stage b-configure b-build b-stage)
expect_feature("without d" OFF "b counts by itself: no provider has the sources of d")
expect_told("without d" OFF LACKS)
tsb_expect("what is installed of d" ABSENT "${build}/packages/d/install")
explain("d: is left out: no provider has the sources of d" "b: up to date")
make(good b)
expect_ran("without d, again")

# Somebody has it now.
add_source(d 1.0)
make(good fetch)
explain(
  "b: would run from phase configure on:" "dependency d: was: left out"
  "feature D: was: USE_D=OFF feature D: now: USE_D=ON"
)
make(good b)
expect_ran("with d" d-stage b-configure b-build b-stage)
expect_feature("with d" ON "")
expect_told("with d" ON CONTAINS)
tsb_expect("what is installed of d" EXISTS "${build}/packages/d/install/LICENSE")

# And nobody again: what was installed goes.
add_missing_source(d)
file(REMOVE_RECURSE "${box}/sources/d")
make(good b)
tsb_expect("output" CONTAINS "${output}" "b: taken from the store")
expect_feature("without d again" OFF "b counts by itself: no provider has the sources of d")
tsb_expect("what is installed of d" ABSENT "${build}/packages/d/install")

# Asked for by itself, it needs its source.
set(build "${box}/alone")
file(REMOVE "${box}/project/CMakeLists.txt")
declare("${declarations}" d)
configure()
make(bad d)
tsb_expect("output" CONTAINS "${output}" "fetch: 1 required sources are missing: d 1, needed by package d")
