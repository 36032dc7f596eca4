# SPDX-License-Identifier: BSD-3-Clause
# An earlier result of fetch counts no more when its files are gone from the source cache, and when somebody has put a
# file there that was missing. What disappears between fetch and its use is found then, and the same command brings it
# again. (sources.unpack: what changes.)
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
make(good a)
file(GLOB found RELATIVE "${box}/sources" "${box}/sources/a/*/*.tar")
tsb_expect("a source that was gone" EQUAL "${found}" "a/1.0/a.tar")
expect_ran("nothing else")

file(MAKE_DIRECTORY "${box}/sources/late/1.0")
file(COPY_FILE "${box}/late/1.0/late.tar" "${box}/sources/late/1.0/late.tar")
explain("missing late: files in the cache: was: missing late: files in the cache: now: 1.0/late.tar")
make(good a)
tsb_expect("the new file" LACKS "${output}" "feature LATE is off")
expect_ran("with the feature" a-configure a-build a-stage)

# The cache goes after fetch: the next command fetches again, whatever it asks for, and explain says so.
set(archive "${box}/sources/a/1.0/a.tar")
foreach(target IN ITEMS fetch a)
  set(build "${box}/gone before ${target}")
  configure()
  make(good fetch)
  file(REMOVE_RECURSE "${box}/sources")
  explain("sources: would run fetch, after which explain knows the rest: ${archive} does not exist")
  make(good ${target})
  tsb_expect("gone before ${target}" CONTAINS "${output}" ": a 1.0 from mirror")
  tsb_expect("gone before ${target}" EXISTS "${archive}")
endforeach()
