# SPDX-License-Identifier: BSD-3-Clause
# A tree that brings its submodules needs no others; one that does not gets them from pins of their own.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
make_archive("${box}/mirror/member/1.0/member.tar" member-1.0)
add_pin(member "{\"version\": \"1.0\", \"filename\": \"member.tar\", \"sha256\": \"${sha256}\", \"strip\": 1}")
string(REPEAT "0" 64 zeros)
add_pin(extra "{\"version\": \"3.0\", \"filename\": \"extra.tar\", \"sha256\": \"${zeros}\", \"strip\": 1}")
make_archive("${box}/mirror/tree/1.0/bare.tar" tree-1.0)
set(bare ${sha256})
make_archive("${box}/full.tar" full-1.0)
add_pin(
  tree
  "{\"version\": \"1.0\", \"filename\": \"full.tar\", \"sha256\": \"${sha256}\", \"strip\": 1, \"complete\": true}"
  "{\"version\": \"1.0\", \"filename\": \"bare.tar\", \"sha256\": \"${bare}\", \"strip\": 1, \"complete\": false}"
)
string(
  JSON sources SET "${sources}" tree submodules
  "[{\"name\": \"member\", \"path\": \"below/member\", \"required\": true},
  {\"name\": \"extra\", \"path\": \"below/extra\", \"required\": false, \"feature\": \"EXTRA\"}]"
)
set(
  asked
  "[{\"name\": \"tree\", \"required\": true}, {\"name\": \"extra\", \"required\": false, \"needed_by\": \"feature X\"}]"
)

fetch(code text "${asked}" mirrors "[\"${box}/mirror\"]")
tsb_expect("exit code" EQUAL ${code} 0)
entry(complete tree complete)
tsb_expect("the tree" EQUAL "${complete}" OFF)
entry(status member status)
tsb_expect("the member" EQUAL "${status}" ok)
tsb_expect("what is not required" CONTAINS "${text}" "extra 3.0 is not available, so feature X is off")

# A required member that is missing is missing like anything else.
file(REMOVE_RECURSE "${box}/mirror/member" "${cache}")
fetch(code text "[{\"name\": \"tree\", \"required\": true}]" mirrors "[\"${box}/mirror\"]")
tsb_expect("exit code" EQUAL ${code} 1)
tsb_expect("what is said" CONTAINS "${text}" "member 1.0, needed by tree")
tsb_expect("what is said" CONTAINS "${text}" "extra 3.0 is not available, so tree feature EXTRA is off")

file(REMOVE_RECURSE "${cache}")
file(COPY "${box}/full.tar" DESTINATION "${box}/mirror/tree/1.0")
fetch(code text "${asked}" mirrors "[\"${box}/mirror\"]")
tsb_expect("exit code" EQUAL ${code} 0)
foreach(name member extra)
  entry(status ${name} status)
  tsb_expect(${name} EQUAL "${status}" included)
endforeach()
entry(version extra version)
tsb_expect("the version that the tree has" EQUAL "${version}" 3.0)

# A folder of the user's goes before what the tree brings.
file(WRITE "${box}/mine/hello.txt" "mine")
fetch(code text "${asked}" mirrors "[\"${box}/mirror\"]" local "{\"member\": \"${box}/mine\"}")
tsb_expect("exit code" EQUAL ${code} 0)
entry(provider member provider)
tsb_expect("the member of one's own" EQUAL "${provider}" local)
entry(status extra status)
tsb_expect("the other member" EQUAL "${status}" included)
