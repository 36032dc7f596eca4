# SPDX-License-Identifier: BSD-3-Clause
# No package without the licences of all that is in its tree: the gate asks as soon as the sources are unpacked, before
# anything is configured, says all that it finds, and does not unpack again for a declaration that was corrected.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
file(READ "${box}/trees/a/CMakeLists.txt" project_of_a)
file(WRITE "${box}/trees/extra/extra.c" "int extra;\n")
add_source(extra 3.0)
add_source(a 1.0 "\"submodules\": [{\"name\": \"extra\", \"path\": \"third party/extra\", \"required\": true}],")
function(write_components file)
  file(
    WRITE "${box}/pins/components.json"
    "{\"components\": {\"more\": {\"in\": \"a\", \"versions\": [\"1.0\"], \"files\": [\"${file}\"], \"license\": \"MIT\", \"texts\": [\"MIT\"]}}}"
  )
endfunction()
write_components(less.c)
declare("${declaration_of_a} COPYRIGHT.txt)" a)
configure()
make(bad a)
expect_ran("what the gate refuses" "")
tsb_expect(
  "output" CONTAINS "${output}"
  "error: package a: its licence file COPYRIGHT.txt is not in ${build}/packages/a/source correct LICENSE_FILES in declarations.cmake"
  "error: package a: third party/extra (source extra) has no licence file add a 'license_file' to the source's pin"
  "error: component more: the source has no less.c, which is declared for a 1.0 correct it in ${box}/pins/components.json"
)
tsb_expect("output" LACKS "${output}" "CMake Error")
tsb_expect("the store" ABSENT "${box}/store")
tsb_expect("manifest" ABSENT "${build}/packages/a/manifest.json")

write_components(more.c)
declare("${declaration_of_a})" a)
configure()
make(bad a)
expect_ran("what it still refuses" "")
tsb_expect("output" CONTAINS "${output}" "third party/extra (source extra) has no licence file")
tsb_expect("output" LACKS "${output}" "component more")
tsb_expect("the tree that is unpacked already" LACKS "${output}" "-- a patch")

file(WRITE "${box}/trees/extra/COPYING.LIB" "licence of extra\n")
file(WRITE "${box}/trees/extra/NOTICE" "notice of extra\n")
add_source(extra 3.1)
make(good a)
foreach(file IN ITEMS a/LICENSE extra/COPYING.LIB extra/NOTICE)
  tsb_expect("licence" EXISTS "${build}/packages/a/licenses/${file}")
endforeach()
tsb_expect("the place" EXISTS "${build}/packages/a/source/third party/extra/extra.c")

# What is declared wrongly is named also when everything is built.
write_components(less.c)
make(bad a)
expect_ran("a declaration that became wrong" "")
tsb_expect("output" CONTAINS "${output}" "error: component more: the source has no less.c")
write_components(more.c)
make(good a)
expect_ran("a declaration that was corrected" "")

# What is compiled into a shared library is known when the package is configured: nothing is compiled before the gate
# asks. Also when it shares a compile with others, and of what is not installed there is no message.
set(library "add_library(a SHARED a.c third_party/inner/inner.c)\nset_property(TARGET a PROPERTY UNITY_BUILD ON)")
string(APPEND library "\nadd_library(spare SHARED external/spare/spare.c)")
string(REPLACE "add_library(a STATIC a.c more.c)" "${library}" text "${project_of_a}")
file(WRITE "${box}/trees/a/external/spare/spare.c" "int spare;\n")
file(WRITE "${box}/trees/a/CMakeLists.txt" "${text}")
file(WRITE "${box}/trees/a/third_party/inner/inner.c" "int inner;\n")
add_source(a 1.1 "\"submodules\": [{\"name\": \"extra\", \"path\": \"third party/extra\", \"required\": true}],")
file(WRITE "${box}/pins/components.json" "{\"components\": {}}")
make(bad a)
expect_ran("what the gate refuses when it is configured" a-configure)
set(inner "error: third_party/inner is in the libraries or headers of package a, and no component declares it")
tsb_expect("output" CONTAINS "${output}" "${inner}: third_party/inner/inner.c goes into")
file(
  WRITE "${box}/pins/components.json"
  "{\"components\": {\"inner\": {\"in\": \"a\", \"files\": [\"third_party/inner/\"], \"license\": \"MIT\", \"texts\": [\"MIT\"]}}}"
)
make(good a)
expect_ran("what is declared then" a-build a-stage)
