# SPDX-License-Identifier: BSD-3-Clause
# A feature is on when its sources are available; what is off is reported once, and in the manifest with the reason.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
file(
  APPEND "${box}/trees/a/CMakeLists.txt"
  [[
file(WRITE "${CMAKE_BINARY_DIR}/features.txt" "GOOD=${USE_GOOD} GONE=${USE_GONE} NEVER=${USE_NEVER} MORE=${USE_MORE}")
]]
)
foreach(name IN ITEMS good more)
  file(WRITE "${box}/trees/${name}/LICENSE" "licence of ${name}\n")
  add_source(${name} 1.0)
endforeach()
add_missing_source(gone)
add_missing_source(gone-too)
set(
  submodules
  "\"submodules\": [
  {\"name\": \"good\", \"path\": \"third_party/good\", \"required\": false, \"feature\": \"GOOD\"},
  {\"name\": \"gone\", \"path\": \"third_party/gone\", \"required\": false, \"feature\": \"GONE\"},
  {\"name\": \"gone-too\", \"path\": \"third_party/gone-too\", \"required\": false, \"feature\": \"GONE\"}],"
)
add_source(a 1.0 "${submodules}")
declare(
  "${declaration_of_a})
tsb_declare_feature(a GOOD OPTION USE_GOOD)
tsb_declare_feature(a GONE OPTION USE_GONE)
tsb_declare_feature(a NEVER OPTION USE_NEVER OFF \"it needs a \\\"licence\\\"; nobody has one\")
tsb_declare_feature(a MORE OPTION USE_MORE SOURCES more)"
  a
)
configure()
make(good a)
tsb_expect("output" CONTAINS "${output}" "a: feature GONE is off: no provider has the sources of gone, gone-too")
tsb_expect("output" CONTAINS "${output}" "a: feature NEVER is off: it needs a \"licence\"; nobody has one")
tsb_expect("output" LACKS "${output}" "feature GOOD is off")
string(REGEX MATCHALL "a: feature GONE is off" said "${output}")
list(LENGTH said times)
tsb_expect("how often a line says it" EQUAL ${times} 1)

function(expect_features text)
  tsb_expect_file("what the package got" EQUAL "${build}/packages/a/build/features.txt" "${text}")
endfunction()
# expect_manifest(<feature> <ON|OFF> [<reason>])
function(expect_manifest feature enabled)
  file(READ "${build}/packages/a/manifest.json" manifest)
  string(JSON found GET "${manifest}" features ${feature} enabled)
  string(JSON reason ERROR_VARIABLE ignored GET "${manifest}" features ${feature} reason)
  tsb_expect("${feature} in the manifest" EQUAL "${found}" "${enabled}")
  if(ARGC GREATER 2)
    tsb_expect("reason of ${feature}" EQUAL "${reason}" "${ARGV2}")
  endif()
endfunction()
expect_features("GOOD=ON GONE=OFF NEVER=OFF MORE=ON")
expect_manifest(GOOD ON)
expect_manifest(MORE ON)
expect_manifest(GONE OFF "no provider has the sources of gone, gone-too")
expect_manifest(NEVER OFF "it needs a \"licence\"; nobody has one")
foreach(place IN ITEMS third_party/good more)
  tsb_expect("placed" EXISTS "${build}/packages/a/source/${place}/LICENSE")
endforeach()

# A package that switches off by itself what it was asked for would make the manifest untrue.
file(APPEND "${box}/trees/a/CMakeLists.txt" "set(USE_MORE OFF CACHE BOOL \"\" FORCE)\n")
add_source(a 1.1 "${submodules}")
make(bad a)
tsb_expect(
  "output" CONTAINS "${output}"
  "error: package a: its configure has switched off what was asked for: MORE (USE_MORE=OFF)"
  "packages/a/log/configure.log"
)
