# SPDX-License-Identifier: BSD-3-Clause
# A file with another content is refused with both hashes, is not kept, and the next provider is asked.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
make_archive("${box}/right.tar" demo-1.0)
set(right ${sha256})
make_archive("${box}/bad mirror/demo/1.0/demo.tar" evil-1.0)
set(wrong ${sha256})
add_pin(demo "{\"version\": \"1.0\", \"filename\": \"demo.tar\", \"sha256\": \"${right}\", \"strip\": 1}")
set(asked "[{\"name\": \"demo\", \"required\": true}]")

fetch(code text "${asked}" mirrors "[\"${box}/bad mirror\"]")
tsb_expect("exit code" EQUAL ${code} 1)
tsb_expect(
  "what is said" CONTAINS "${text}"
  "wrong sha256: expected ${right}, got ${wrong}, from ${box}/bad mirror/demo/1.0/demo.tar"
)
tsb_expect("the file" ABSENT "${cache}/demo/1.0/demo.tar")
tsb_expect("the download" ABSENT "${cache}/demo/1.0/demo.tar.part")

# Nor does it hide the right one in the next mirror, or at the next address.
file(MAKE_DIRECTORY "${box}/good mirror/demo/1.0")
file(COPY_FILE "${box}/right.tar" "${box}/good mirror/demo/1.0/demo.tar")
fetch(code text "${asked}" mirrors "[\"${box}/bad mirror\", \"${box}/good mirror\"]")
tsb_expect("exit code" EQUAL ${code} 0)
tsb_expect("what is said about the first" CONTAINS "${text}" "wrong sha256: expected ${right}, got ${wrong}, from")
tsb_expect("the second" CONTAINS "${text}" "from mirror (${box}/good mirror/demo/1.0/demo.tar)")
file(REMOVE_RECURSE "${cache}")

# A wrong file that someone put into the cache is moved aside, not deleted, and replaced by the right one.
file(COPY "${box}/bad mirror/demo/1.0/demo.tar" DESTINATION "${cache}/demo/1.0")
fetch(code text "${asked}" mirrors "[\"${box}/good mirror\"]")
tsb_expect("exit code" EQUAL ${code} 0)
tsb_expect("what is said" CONTAINS "${text}" "expected ${right}, got ${wrong}")
tsb_expect("the wrong file" EXISTS "${cache}/demo/1.0/demo.tar.wrong")
file(SHA256 "${cache}/demo/1.0/demo.tar" got)
tsb_expect("sha256" EQUAL "${got}" "${right}")
