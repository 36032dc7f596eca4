# SPDX-License-Identifier: BSD-3-Clause
# Run by test_store_remote.py, which has set TSB_STORE_REMOTE: packages that one machine has built are not built on
# another, whose store is empty.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
set(ENV{AWS_SECRET_ACCESS_KEY} "the key")
write_trees()
file(
  APPEND "${box}/trees/a/CMakeLists.txt" "execute_process(COMMAND env OUTPUT_FILE \${CMAKE_BINARY_DIR}/environment)\n"
)
add_source(a 1.0)
add_source(b 1.0)
declare("${declaration_of_a} OPTIONS TEXT=one)\n${declaration_of_b}" b)
configure()
make(good b)
expect_ran("the first machine" a-configure a-build a-stage b-configure b-build b-stage)

set(build "${box}/second folder")
set(ENV{TSB_STORE} "${box}/second store")
configure()
make(good b)
expect_ran("the second machine")
tsb_expect("output" CONTAINS "${output}" "a: taken from the store" "b: taken from the store")
expect_program(
  "the second machine" "one 1 /usr/src/torch-superbuild/a/source/a.c /usr/src/torch-superbuild/b/source/b.c"
)
file(GLOB entries "${box}/second store/?/*/files.json")
list(LENGTH entries count)
tsb_expect("entries in the second store" EQUAL "${count}" 2)

# Keys stay where they are needed.
tsb_expect("the commands' environment" EXISTS "${box}/build folder/packages/a/build/environment")
execute_process(COMMAND grep -rl "the key" "${box}" OUTPUT_VARIABLE found)
tsb_expect("files with the key" EQUAL "${found}" "")
