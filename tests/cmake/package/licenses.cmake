# SPDX-License-Identifier: BSD-3-Clause
# No package without the licences of all that is in its tree.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
file(WRITE "${box}/trees/extra/extra.c" "int extra;\n")
add_source(extra 3.0)
add_source(a 1.0 "\"submodules\": [{\"name\": \"extra\", \"path\": \"third party/extra\", \"required\": true}],")
declare("${declaration_of_a} COPYRIGHT.txt)" a)
configure()
make(bad a)
tsb_expect(
  "output"
  CONTAINS
  "${output}"
  "error: package a: its licence file COPYRIGHT.txt is not in ${build}/packages/a/source correct LICENSE_FILES in superbuild/a.cmake"
)
tsb_expect("output" LACKS "${output}" "CMake Error")
tsb_expect("the store" ABSENT "${box}/store")

declare("${declaration_of_a})" a)
configure()
make(bad a)
tsb_expect(
  "output"
  CONTAINS
  "${output}"
  "error: package a: third party/extra (source extra) has no licence file add a 'license_file' to the source's pin"
)
tsb_expect("output" LACKS "${output}" "CMake Error")
tsb_expect("manifest" ABSENT "${build}/packages/a/manifest.json")

file(WRITE "${box}/trees/extra/COPYING.LIB" "licence of extra\n")
file(WRITE "${box}/trees/extra/NOTICE" "notice of extra\n")
add_source(extra 3.1)
make(good a)
foreach(file IN ITEMS a/LICENSE extra/COPYING.LIB extra/NOTICE)
  tsb_expect("licence" EXISTS "${build}/packages/a/licenses/${file}")
endforeach()
tsb_expect("the place" EXISTS "${build}/packages/a/source/third party/extra/extra.c")
