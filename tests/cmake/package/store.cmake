# SPDX-License-Identifier: BSD-3-Clause
# Built packages are taken out of the store, and what was built before them stays usable. (package.store-commands:
# damage.)
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
add_source(a 1.0)
add_source(b 1.0)
set(places "/usr/src/torch-superbuild/a/source/a.c /usr/src/torch-superbuild/b/source/b.c")
function(declare_text text)
  declare("${declaration_of_a} OPTIONS TEXT=${text})\n${declaration_of_b}" b)
  configure()
endfunction()
set(all a-configure a-build a-stage b-configure b-build b-stage)

declare_text(one)
make(good b)
expect_ran("first folder" ${all})

# A second folder runs no compiler, and is up to date afterwards.
set(build "${box}/second folder")
configure()
explain("a: unknown, its sources have not been fetched: run the target fetch")
make(good fetch)
explain("a: would be taken from the store (${box}/store/a/" "b: would be taken from the store (${box}/store/b/")
make(good b)
expect_ran("second folder")
tsb_expect("output" CONTAINS "${output}" "a: taken from the store" "b: taken from the store")
expect_program("second folder" "one 1 ${places}")
tsb_expect("licences" EXISTS "${build}/packages/a/licenses/a/LICENSE")
file(READ "${box}/build folder/packages/b/manifest.json" first)
tsb_expect_file("manifest" EQUAL "${build}/packages/b/manifest.json" "${first}")
explain("a: up to date" "b: up to date")

# What is gone comes back out of it.
set(install "${build}/packages/a/install")
file(REMOVE_RECURSE "${install}")
explain("a: would be taken from the store (" "): ${install} does not exist" "b: up to date")
make(good b)
tsb_expect("output" CONTAINS "${output}" "a: ${install} does not exist" "a: taken from the store")
expect_ran("a lost install tree")

# A stamp that a power cut has left empty is not a stamp.
file(WRITE "${build}/steps/a/stage.json" "")
make(good b)
tsb_expect("output" CONTAINS "${output}" "steps/a/stage.json is damaged" "a: taken from the store")
explain("a: up to date" "b: up to date")

# From there on: a changed option builds all of it, as there is no tree here yet. And back: both are in the store.
declare_text(two)
explain("a: would run from phase patch on: options TEXT: was: one options TEXT: now: two")
make(good b)
expect_ran("another option" ${all})
declare_text(one)
make(good b)
expect_ran("back")
expect_program("back" "one 1 ${places}")

# Without a store the phase that makes it runs.
set(build "${box}/build folder")
configure()
file(REMOVE_RECURSE "${build}/packages/a/install" "${box}/store")
explain("a: would run from phase stage on: ${build}/packages/a/install does not exist")
make(good a)
expect_ran("a lost install tree, without the store" a-stage)

# A store that cannot be made.
file(WRITE "${box}/a file" "")
set(ENV{TSB_STORE} "${box}/a file/store")
set(build "${box}/fourth folder")
configure()
make(bad a)
tsb_expect(
  "output" CONTAINS "${output}" "error: cannot write ${box}/a file/store/a/" "Not a directory"
  "or set TSB_STORE to a writable folder that has some"
)
tsb_expect("output" LACKS "${output}" "CMake Error")
