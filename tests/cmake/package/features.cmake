# SPDX-License-Identifier: BSD-3-Clause
# A feature is on when its sources are available, and a package that it needs (PACKAGES) is built then. What is off is
# reported once, and in the manifest with the reason and what is done instead; its package is left out, and nothing
# finds what an earlier run installed.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
file(
  APPEND "${box}/trees/a/CMakeLists.txt"
  [[
file(WRITE "${CMAKE_BINARY_DIR}/told.txt" "GOOD=${USE_GOOD} GONE=${USE_GONE} NEVER=${USE_NEVER} MORE=${USE_MORE}")
]]
)
file(
  APPEND "${box}/trees/b/CMakeLists.txt"
  [[
file(WRITE "${CMAKE_BINARY_DIR}/told.txt" "USE_D=${USE_D} [${CMAKE_PREFIX_PATH}]")
]]
)
foreach(name IN ITEMS good more d)
  file(WRITE "${box}/trees/${name}/LICENSE" "licence of ${name}\n")
endforeach()
foreach(name IN ITEMS good more b)
  add_source(${name} 1.0)
endforeach()
foreach(name IN ITEMS gone gone-too d never never-too)
  add_missing_source(${name})
endforeach()
set(submodules "")
foreach(pair IN ITEMS good=GOOD gone=GONE gone-too=GONE never=NEVER)
  string(REGEX MATCH "^(.*)=(.*)$" ignored ${pair})
  set(submodule "{\"name\": \"${CMAKE_MATCH_1}\", \"path\": \"third_party/${CMAKE_MATCH_1}\", \"required\": false")
  list(APPEND submodules "${submodule}, \"feature\": \"${CMAKE_MATCH_2}\"}")
endforeach()
list(JOIN submodules "," submodules)
set(submodules "\"submodules\": [${submodules}],")
add_source(a 1.0 "${submodules}")
set(
  declarations
  "${declaration_of_a})
tsb_declare_feature(a GOOD OPTION USE_GOOD)
tsb_declare_feature(a GONE OPTION USE_GONE)
tsb_declare_feature(a NEVER OPTION USE_NEVER SOURCES never-too OFF [[it needs a \"licence\"; nobody has one]])
tsb_declare_feature(a MORE OPTION USE_MORE SOURCES more)
tsb_declare_package(d DESCRIPTION D SOURCE d PROVIDES d BUILD_SYSTEM none STAGE_SCRIPTS \"${trees}/copy_source.cmake\" LICENSE_FILES LICENSE)
tsb_declare_package(b DESCRIPTION B SOURCE b DEPENDS a d LICENSE_FILES COPYING)
tsb_declare_feature(b D OPTION USE_D PACKAGES d WITHOUT [[b counts by itself]])"
)
declare("${declarations}" b)
configure()

# expect_feature(<package> <feature> <ON|OFF> [<reason>]): in the manifest.
function(expect_feature package feature enabled)
  file(READ "${build}/packages/${package}/manifest.json" manifest)
  string(JSON found GET "${manifest}" features ${feature} enabled)
  string(JSON reason ERROR_VARIABLE ignored GET "${manifest}" features ${feature} reason)
  tsb_expect("${feature} in the manifest" EQUAL "${found}" "${enabled}")
  if(ARGC GREATER 3)
    tsb_expect("reason of ${feature}" EQUAL "${reason}" "${ARGV3}")
  endif()
endfunction()

# expect_d(<what> <ON|OFF> [<reason>]): the feature D of b, what b got, and what is installed of d.
function(expect_d what enabled)
  expect_feature(b D ${enabled} ${ARGN})
  file(READ "${build}/packages/b/build/told.txt" told)
  tsb_expect("what b got, ${what}" CONTAINS "${told}" "USE_D=${enabled}")
  if(enabled)
    tsb_expect("where b finds packages, ${what}" CONTAINS "${told}" "packages/d/install")
    tsb_expect("what is installed of d, ${what}" EXISTS "${build}/packages/d/install/LICENSE")
  else()
    tsb_expect("where b finds packages, ${what}" LACKS "${told}" "packages/d/install")
    tsb_expect("what is installed of d, ${what}" ABSENT "${build}/packages/d/install")
  endif()
endfunction()

set(all a-configure a-build a-stage b-configure b-build b-stage)
set(no_gone "no provider has the sources of gone, gone-too")
set(no_d "b counts by itself: no provider has the sources of d")
make(good b)
expect_ran("without what nobody has" ${all})
tsb_expect("output" CONTAINS "${output}" "a: feature NEVER is off: it needs a \"licence\"; nobody has one")
tsb_expect(
  "output" CONTAINS "${output}" "warning: fetch: d 1 is not available, so feature D of package b is off"
  "warning: fetch: without D, GONE: to have them, name a mirror with their sources in TSB_SOURCE_MIRROR"
)
tsb_expect("output" CONTAINS "${output}" "b: feature D is off: ${no_d}")
tsb_expect("output" LACKS "${output}" "feature GOOD is off" "never 1" "never-too 1")
string(REGEX MATCHALL "a: feature GONE is off: ${no_gone}" said "${output}")
list(LENGTH said times)
tsb_expect("how often a line says it" EQUAL ${times} 1)
tsb_expect_file("what a got" EQUAL "${build}/packages/a/build/told.txt" "GOOD=ON GONE=OFF NEVER=OFF MORE=ON")
foreach(feature IN ITEMS GOOD MORE)
  expect_feature(a ${feature} ON)
endforeach()
expect_feature(a GONE OFF "${no_gone}")
expect_feature(a NEVER OFF "it needs a \"licence\"; nobody has one")
foreach(place IN ITEMS third_party/good more)
  tsb_expect("placed" EXISTS "${build}/packages/a/source/${place}/LICENSE")
endforeach()
expect_d("without d" OFF "${no_d}")
explain("d: is left out: no provider has the sources of d" "b: up to date")
explain("b: feature D is off: ${no_d} to have it: name a mirror that has them in TSB_SOURCE_MIRROR: docs/sources.md")
file(READ "${build}/packages/a/manifest.json" manifest)
string(JSON remedy GET "${manifest}" features GONE remedy)
tsb_expect("the remedy" EQUAL "${remedy}" "name a mirror that has them in TSB_SOURCE_MIRROR: docs/sources.md")
string(JSON member ERROR_VARIABLE ignored MEMBER "${manifest}" features NEVER 1)
tsb_expect("what is off on purpose has no remedy" EQUAL "${member}" "reason")

# With TSB_STRICT each is an error, right after fetch, but for those that are excused by name.
set(ENV{TSB_STRICT} ON)
configure()
make(bad fetch)
tsb_expect(
  "strict" CONTAINS "${output}" "fetch: 3 required sources are missing:" "d 1, needed by feature D of package b"
  "gone 1, needed by a feature GONE" "file: ${box}/sources/gone/1/gone.tar"
  "TSB_STRICT is ON; to build without them, set TSB_ALLOW_MISSING=D,GONE"
)
set(ENV{TSB_ALLOW_MISSING} GONE)
configure()
make(bad fetch)
tsb_expect("one excused" CONTAINS "${output}" "fetch: 1 required source is missing:" "set TSB_ALLOW_MISSING=D")
tsb_expect("one excused" LACKS "${output}" "needed by a feature")
tsb_expect("one excused" CONTAINS "${output}" "gone 1 is not available, so a feature GONE is off")
set(ENV{TSB_ALLOW_MISSING} all)
configure()
make(good b)
expect_ran("all excused")
set(ENV{TSB_ALLOW_MISSING} GOEN)
tsb_run(code text "${CMAKE_COMMAND}" -S "${box}/project" -B "${build}" -G Ninja)
tsb_expect(
  "no such feature" CONTAINS "${text}"
  "TSB_ALLOW_MISSING names 'GOEN', which is not a feature did you mean GONE? correct it, or unset it"
)
unset(ENV{TSB_STRICT})
unset(ENV{TSB_ALLOW_MISSING})
configure()

# Somebody has it now.
add_source(d 1.0)
make(good fetch)
explain(
  "b: would run from phase configure on:" "dependency d: was: left out"
  "feature D: was: USE_D=OFF feature D: now: USE_D=ON"
)
make(good b)
expect_ran("with d" d-stage b-configure b-build b-stage)
expect_d("with d" ON)

# And nobody again: what was installed goes.
add_missing_source(d)
file(REMOVE_RECURSE "${box}/sources/d")
make(good b)
tsb_expect("output" CONTAINS "${output}" "b: taken from the store")
expect_feature(b D OFF "${no_d}")
tsb_expect("what is installed of d" ABSENT "${build}/packages/d/install")

# A package that switches off by itself what it was asked for would make the manifest untrue.
file(APPEND "${box}/trees/a/CMakeLists.txt" "set(USE_MORE OFF CACHE BOOL \"\" FORCE)\n")
add_source(a 1.1 "${submodules}")
make(bad a)
tsb_expect(
  "output" CONTAINS "${output}"
  "error: package a: its configure has switched off what was asked for: MORE (USE_MORE=OFF)"
  "packages/a/log/configure.log"
)

# By what it depends on: then the cache keeps the value that was asked for.
file(
  APPEND "${box}/trees/a/CMakeLists.txt"
  "unset(USE_MORE CACHE)\ninclude(CMakeDependentOption)\ncmake_dependent_option(USE_GOOD x ON USE_NONE OFF)\n"
)
add_source(a 1.2 "${submodules}")
make(bad a)
tsb_expect("output" CONTAINS "${output}" "asked for: GOOD (USE_GOOD, since what it depends on is off)")

# Asked for by itself, a package needs its source.
set(build "${box}/alone")
declare("${declarations}" d)
configure()
make(bad d)
tsb_expect("output" CONTAINS "${output}" "fetch: 1 required source is missing: d 1, needed by package d")
tsb_expect("output" LACKS "${output}" "failed unexpectedly")
