# SPDX-License-Identifier: BSD-3-Clause
# An earlier result of fetch counts no more when its files are gone from the source cache, and when somebody has put a file
# there that was missing. What disappears or changes between fetch and its use is found then, and the same command
# brings it again.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
file(WRITE "${box}/trees/late/LICENSE" "licence of late\n")
add_source(late 1.0)
file(RENAME "${box}/mirror/late" "${box}/late")
add_source(
  a 1.0
  "\"submodules\": [{\"name\": \"late\", \"path\": \"third_party/late\", \"required\": false, \"feature\": \"LATE\"}],"
)
declare("${declaration_of_a})\ntsb_declare_feature(a LATE OPTION USE_LATE)" a)
configure()
make(good a)
tsb_expect("the first time" CONTAINS "${output}" "a: feature LATE is off: no provider has the sources of late")

file(REMOVE_RECURSE "${box}/sources")
configure()
make(good a)
file(GLOB found RELATIVE "${box}/sources" "${box}/sources/a/*/*.tar")
tsb_expect("a source that was gone" EQUAL "${found}" "a/1.0/a.tar")
expect_ran("nothing else")

execute_process(COMMAND sleep 1.1) # the file's time must be a later one
file(MAKE_DIRECTORY "${box}/sources/late/1.0")
file(COPY_FILE "${box}/late/1.0/late.tar" "${box}/sources/late/1.0/late.tar")
execute_process(COMMAND touch "${box}/sources/late/1.0/late.tar")
configure()
make(good a)
tsb_expect("the file that came" LACKS "${output}" "feature LATE is off")
expect_ran("with the feature" a-configure a-build a-stage)

set(archive "${box}/sources/a/1.0/a.tar")
foreach(fault IN ITEMS "is gone" "changed")
  set(build "${box}/${fault}")
  file(REMOVE_RECURSE "${box}/store")
  configure()
  make(good fetch)
  if(fault STREQUAL "is gone")
    file(REMOVE "${archive}")
  else()
    # With the same size and time, so that the cache takes it for the file that it has verified.
    execute_process(
      COMMAND sh -c "touch -r \"$1\" \"$2\" && sed -i 's/a_more/a_evil/' \"$1\" && touch -r \"$2\" \"$1\"" sh
              "${archive}" "${box}/time" COMMAND_ERROR_IS_FATAL ANY
    )
  endif()
  make(bad a)
  tsb_expect("${fault}" CONTAINS "${output}" "unpack: ${archive} ${fault} since it was fetched")
  tsb_expect("${fault}" CONTAINS "${output}" "Run the same command again: it is fetched again.")
  expect_ran("${fault}")
  make(good a)
  tsb_expect("${fault}, the same command" CONTAINS "${output}" "fetch: a 1.0 from mirror")
  expect_ran("${fault}, the same command" a-configure a-build a-stage)
endforeach()
tsb_expect("the changed file" EXISTS "${archive}.wrong")
