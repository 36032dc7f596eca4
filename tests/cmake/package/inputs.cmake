# SPDX-License-Identifier: BSD-3-Clause
# A changed file under INPUTS, which an INCLUDE finds in TSB_INPUTS, and a changed condition of a patch, build again.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
file(
  WRITE "${patches}/more.patch"
  "--- a/more.c\n+++ b/more.c\n@@ -1 +1 @@\n-int a_more(void) { return 1; }\n+int a_more(void) { return 2; }\n"
)
function(pin condition)
  add_source(
    a
    1.0
    "\"patches\": [{\"file\": \"more.patch\", \"source\": \"us\", \"upstream\": null, \"reason\": \"r\", \"applies_to\": \"${condition}\"}],"
  )
  set(pins "${pins}" PARENT_SCOPE)
endfunction()
pin(">=1.0")
file(WRITE "${box}/list.txt" "one\n")
# Not file(COPY): it takes files for equal whose times differ by less than a second.
file(WRITE "${box}/read.cmake" [[configure_file(${TSB_INPUTS} "${CMAKE_BINARY_DIR}/list.txt" COPYONLY)]])
declare("${declaration_of_a} INPUTS \"${box}/list.txt\" INCLUDE \"${box}/read.cmake\")" a)
configure()
make(good a)
expect_ran("the first time" a-configure a-build a-stage)

file(WRITE "${box}/list.txt" "two\n")
configure()
explain("a: would run from phase configure on")
make(good a)
expect_ran("another list" a-configure a-build a-stage)
file(STRINGS "${build}/packages/a/build/list.txt" list)
tsb_expect("the list that the include found" EQUAL "${list}" "two")

pin("<1.0")
configure()
explain("a: would run from phase patch on" "patches a: was:" "\"applies_to\" : \">=1.0\"" "patches a: now:")
make(good a)
file(STRINGS "${build}/packages/a/source/more.c" lines)
tsb_expect("the tree without the patch" EQUAL "${lines}" "int a_more(void) { return 1\\; }")
