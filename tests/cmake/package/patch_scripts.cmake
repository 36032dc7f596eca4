# SPDX-License-Identifier: BSD-3-Clause
# Patch scripts change the package's own copy of the sources, behind its patches, and neither the source cache nor a
# folder of the user's. Their content is an input of the phase.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
file(WRITE "${patches}/a.patch" "--- a/LICENSE\n+++ b/LICENSE\n@@ -1 +1 @@\n-licence of a\n+its licence\n")
add_source(a 1.0 "\"patches\": [{\"file\": \"a.patch\", \"source\": \"us\", \"upstream\": null, \"reason\": \"r\"}],")
add_source(b 1.0)
set(script "${box}/double.cmake")
file(
  WRITE "${script}"
  [[
file(READ "${TSB_SOURCE_DIR}/LICENSE" text)
if(NOT text STREQUAL "its licence\n" OR NOT TSB_PYTHON)
  message(FATAL_ERROR "the tree is '${text}', the Python '${TSB_PYTHON}'")
endif()
file(APPEND "${TSB_SOURCE_DIR}/LICENSE" "${text}")
]]
)
declare("${declaration_of_a} PATCH_SCRIPTS \"${script}\")\n${declaration_of_b}" b)
configure()
make(good a-fetch)
file(GLOB_RECURSE cached "${box}/sources/*")
list(FILTER cached INCLUDE REGEX "/a\\.tar$")
file(SHA256 "${cached}" before)

# expect_tree(<what>): what the script made, once.
function(expect_tree what)
  tsb_expect_file("the tree, ${what}" EQUAL "${build}/packages/a/source/LICENSE" "its licence\nits licence\n")
endfunction()

make(good b)
expect_ran("all" a-patch a-configure a-build a-stage b-configure b-build b-stage)
expect_tree("first")
file(SHA256 "${cached}" after)
tsb_expect("the cache" EQUAL "${after}" "${before}")
tsb_expect("the log" EXISTS "${build}/packages/a/log/patch-double.log")
recorded_inputs(inputs b configure)
tsb_expect("another package" LACKS "${inputs}" "patch script")
make(good b)
expect_ran("nothing")

# Its content decides: it runs on a new copy.
file(APPEND "${script}" "# a change\n")
explain("a: would run from phase patch on: patch script double.cmake: was:" "patch script double.cmake: now:")
make(good a-patch)
expect_ran("the changed script" a-patch)
expect_tree("again")

# A folder of the user's stays as it is.
file(COPY "${box}/trees/a" DESTINATION "${box}/user")
set(ENV{TSB_LOCAL_a} "${box}/user/a")
make(good a-patch)
expect_tree("of a folder")
tsb_expect_file("the folder" EQUAL "${box}/user/a/LICENSE" "licence of a\n")

# It fails: so does the phase, which is not done.
file(APPEND "${script}" "message(FATAL_ERROR \"no room for it\")\n")
make(bad a)
tsb_expect("output" CONTAINS "${output}" "no room for it" "error: package a: the patch phase failed")
make(bad a)
expect_ran("again" a-patch)
