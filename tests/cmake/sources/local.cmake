# SPDX-License-Identifier: BSD-3-Clause
# A folder that the user names is taken as it is, before everything else; a folder that is not there is an error.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
make_archive("${box}/mirror/demo/1.0/demo.tar" demo-1.0)
add_pin(demo "{\"version\": \"1.0\", \"filename\": \"demo.tar\", \"sha256\": \"${sha256}\", \"strip\": 1}")
set(asked "[{\"name\": \"demo\", \"required\": true}]")
file(WRITE "${box}/my tree/hello.txt" "mine")

fetch(code text "${asked}" local "{\"demo\": \"${box}/my tree\"}" mirrors "[\"${box}/mirror\"]")
tsb_expect("exit code" EQUAL ${code} 0)
entry(kind demo kind)
entry(provider demo provider)
entry(archive demo archive)
entry(fingerprint demo fingerprint)
tsb_expect("kind" EQUAL "${kind}" folder)
tsb_expect("provider" EQUAL "${provider}" local)
tsb_expect("folder" EQUAL "${archive}" "${box}/my tree")

file(WRITE "${box}/my tree/hello.txt" "mine, changed")
fetch(code text "${asked}" local "{\"demo\": \"${box}/my tree\"}")
entry(changed demo fingerprint)
if(changed STREQUAL fingerprint)
  message(FATAL_ERROR "the fingerprint does not see a change in the folder")
endif()

fetch(code text "${asked}" local "{\"demo\": \"${box}/no tree\"}" mirrors "[\"${box}/mirror\"]")
tsb_expect("exit code" EQUAL ${code} 1)
tsb_expect("what is said" CONTAINS "${text}" "local: no folder ${box}/no tree")
