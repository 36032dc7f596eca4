# SPDX-License-Identifier: BSD-3-Clause
# Without a network and with nothing cached, one run names everything that is missing and what helps.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
string(REPEAT "a" 64 hash)
string(REPEAT "b" 40 commit)
foreach(name one two three)
  add_pin(
    ${name} "{\"version\": \"1.0\", \"filename\": \"${name}.tar\", \"sha256\": \"${hash}\", \"strip\": 1,
    \"url\": [\"${nobody}/${name}.tar\"]}"
    "{\"version\": \"2.0\", \"commit\": \"${commit}\", \"git\": \"${nobody}/${name}.git\"}"
  )
endforeach()
fetch(
  code
  text
  "[{\"name\": \"one\", \"required\": true, \"needed_by\": \"package one\"},
  {\"name\": \"two\", \"required\": true, \"needed_by\": \"package two\"},
  {\"name\": \"three\", \"required\": false, \"needed_by\": \"feature THREE\"}]"
  mirrors
  "[\"${box}/no mirror\", \"htps://mirror.test\"]"
)
tsb_expect("exit code" EQUAL ${code} 1)
tsb_expect("the number" CONTAINS "${text}" "2 required sources are missing")
foreach(name one two)
  tsb_expect("the name" CONTAINS "${text}" "${name} 1.0, needed by package ${name}")
  tsb_expect("the file" CONTAINS "${text}" "file: ${cache}/${name}/1.0/${name}.tar")
endforeach()
tsb_expect("what the mirror said" CONTAINS "${text}" "mirror: no folder ${box}/no mirror")
tsb_expect(
  "what a mistyped mirror said" CONTAINS "${text}"
  "htps://mirror.test is neither a folder nor an address with http, https or file"
)
tsb_expect("what upstream said" CONTAINS "${text}" "upstream: cannot connect to 127.0.0.1")
tsb_expect("what git said" CONTAINS "${text}" "git: cannot connect to 127.0.0.1")
tsb_expect("what is not required" CONTAINS "${text}" "three 1.0 is not available, so feature THREE is off")
foreach(remedy TSB_SOURCES TSB_SOURCE_MIRROR TSB_LOCAL_<name>)
  tsb_expect("what helps" CONTAINS "${text}" "${remedy}")
endforeach()
entry(status one status)
tsb_expect("the result says so too" EQUAL "${status}" missing)
tsb_expect("no empty folders" ABSENT "${cache}/one")

# Only what is not required missing: that is not a failure.
fetch(code text "[{\"name\": \"three\", \"required\": false, \"needed_by\": \"feature THREE\"}]" offline true)
tsb_expect("exit code" EQUAL ${code} 0)
tsb_expect("what is said" CONTAINS "${text}" "upstream: offline")
