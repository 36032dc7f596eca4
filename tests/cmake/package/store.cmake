# SPDX-License-Identifier: BSD-3-Clause
# Built packages are taken out of the store, whole ones only, and what was built before them stays usable.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
add_source(a 1.0)
add_source(b 1.0)
set(places "/usr/src/torch-superbuild/a/source/a.c /usr/src/torch-superbuild/b/source/b.c")
function(declare_text text)
  declare("${declaration_of_a} OPTIONS TEXT=${text})\n${declaration_of_b}" b)
endfunction()
set(all a-configure a-build a-stage b-configure b-build b-stage)
set(from_store "a: taken from the store" "b: taken from the store")

declare_text(one)
configure()
make(good b)
expect_ran("first folder" ${all})
file(GLOB entries "${box}/store/*/*/files.json")
list(LENGTH entries length)
tsb_expect("entries (${entries})" EQUAL ${length} 2)

# A second folder runs no compiler, and is up to date afterwards.
set(build "${box}/second folder")
configure()
explain("a: unknown, its sources have not been fetched: run the target fetch")
make(good fetch)
explain("a: would be taken from the store (${box}/store/a/" "b: would be taken from the store (${box}/store/b/")
make(good b)
expect_ran("second folder")
tsb_expect("output" CONTAINS "${output}" ${from_store})
expect_program("second folder" "one 1 ${places}")
tsb_expect("licences" EXISTS "${build}/packages/a/licenses/a/LICENSE")
file(READ "${build}/packages/b/manifest.json" second)
file(READ "${box}/build folder/packages/b/manifest.json" first)
tsb_expect("manifest" EQUAL "${second}" "${first}")
explain("a: up to date" "b: up to date")
make(good stage)
expect_ran("second folder, again")

# From there on: a changed option builds all of it, as there is no tree here yet.
declare_text(two)
configure()
explain("a: would run from phase patch on: options TEXT: was: one options TEXT: now: two")
make(good b)
expect_ran("another option" ${all})
expect_program("another option" "two 1 ${places}")

# Back and forth: both are in the store.
foreach(text IN ITEMS one two)
  declare_text(${text})
  configure()
  if(text STREQUAL "one")
    explain("a: would be taken from the store (" "options TEXT: was: two options TEXT: now: one")
  endif()
  make(good b)
  expect_ran("back to ${text}")
  expect_program("back to ${text}" "${text} 1 ${places}")
endforeach()
explain("a: up to date" "b: up to date")

# What a killed copy leaves is not taken, and is removed.
file(GLOB entries "${box}/store/a/*/files.json")
foreach(list IN LISTS entries)
  get_filename_component(entry "${list}" DIRECTORY)
  file(RENAME "${entry}" "${entry}.partial-abc")
endforeach()
set(build "${box}/third folder")
configure()
make(good a)
expect_ran("after a killed copy" a-configure a-build a-stage)
file(GLOB entries LIST_DIRECTORIES TRUE "${box}/store/a/*-*" "${box}/store/a/*/files.json")
list(LENGTH entries length)
tsb_expect("entries (${entries})" EQUAL ${length} 1)

# An entry that is not what its list says is put aside and built again; so is one without a list.
get_filename_component(entry "${entries}" DIRECTORY)
foreach(fault IN ITEMS "install/lib/liba.a has changed" "it has no files.json")
  if(fault MATCHES "changed")
    file(GLOB library "${entry}/install/lib/liba.a")
    execute_process(COMMAND sh -c ": >\"$1\"" sh "${library}" COMMAND_ERROR_IS_FATAL ANY)
  else()
    file(REMOVE "${entry}/files.json")
  endif()
  set(build "${box}/folder where ${fault}")
  configure()
  make(good a)
  tsb_expect("${fault}" CONTAINS "${output}" "store: ${entry} is damaged: ${fault}")
  expect_ran("${fault}" a-configure a-build a-stage)
  file(GLOB aside "${entry}.damaged-*")
  tsb_expect("what was put aside" EXISTS "${aside}")
  file(REMOVE_RECURSE "${aside}")
endforeach()

# A store that cannot be written.
file(WRITE "${box}/a file" "")
set(ENV{TSB_STORE} "${box}/a file/store")
set(build "${box}/fifth folder")
configure()
make(bad a)
tsb_expect("output" CONTAINS "${output}" "error: cannot write ${box}/a file/store/a/")
tsb_expect("output" CONTAINS "${output}" "Not a directory")
tsb_expect("output" CONTAINS "${output}" "or set TSB_STORE to a folder that has it and can be written")
tsb_expect("output" LACKS "${output}" "CMake Error")

# A store on a full disk: nothing half-made stays. Needs a mount of its own, which not every machine allows.
set(ENV{TSB_STORE} "${box}/full")
set(build "${box}/sixth folder")
configure()
file(MAKE_DIRECTORY "${box}/full")
file(
  WRITE "${box}/full.sh"
  "mount -t tmpfs -o size=12k none \"$1\" || exit 77
\"$2\" --build \"$3\" --target a && exit 1
find \"$1\" -name '*.partial-*'\n"
)
execute_process(
  COMMAND unshare --user --map-root-user --mount sh "${box}/full.sh" "${box}/full" "${CMAKE_COMMAND}" "${build}"
  RESULT_VARIABLE code
  OUTPUT_VARIABLE output
  ERROR_VARIABLE error
)
message("${output}${error}")
if(NOT error MATCHES "unshare: |mount: ")
  tsb_expect("status" EQUAL "${code}" 0)
  tsb_expect("a full disk" CONTAINS "${error}${output}" "No space left on device")
  tsb_expect("a full disk" CONTAINS "${error}${output}" "free some disk space, or set TSB_STORE to a folder")
  tsb_expect("a full disk" LACKS "${error}${output}" "CMake Error")
  tsb_expect("half an entry" LACKS "${output}" "${box}/full/a/")
endif()
