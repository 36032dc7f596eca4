# SPDX-License-Identifier: BSD-3-Clause
# Offline, a mirror folder is enough; the cache that results is a mirror in turn; a verified file is not looked at
# again until it changes.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
make_archive("${box}/mirror/demo/1.0/demo.tar" demo-1.0)
add_pin(
  demo
  "{\"version\": \"1.0\", \"filename\": \"demo.tar\", \"sha256\": \"${sha256}\", \"strip\": 1, \"url\": [\"${nobody}/demo.tar\"]}"
)
set(asked "[{\"name\": \"demo\", \"required\": true}]")

fetch(code text "${asked}" offline true mirrors "[\"${box}/nothing here\", \"${box}/mirror\"]")
tsb_expect("exit code" EQUAL ${code} 0)
tsb_expect("the line of the source" CONTAINS "${text}" "demo 1.0 from mirror")
entry(archive demo archive)
entry(got demo sha256)
entry(strip demo strip)
entry(license demo license)
tsb_expect("archive" EQUAL "${archive}" "${cache}/demo/1.0/demo.tar")
tsb_expect("sha256" EQUAL "${got}" "${sha256}")
tsb_expect("strip" EQUAL "${strip}" 1)
tsb_expect("license" EQUAL "${license}" MIT)

# The cache of one machine serves another one that has nothing else.
set(first_cache "${cache}")
set(cache "${box}/another cache")
fetch(code text "${asked}" offline true mirrors "[\"${first_cache}\"]")
tsb_expect("from the first cache" EQUAL ${code} 0)
file(SHA256 "${cache}/demo/1.0/demo.tar" got)
tsb_expect("sha256" EQUAL "${got}" "${sha256}")

# Nothing is tried when it is there: no provider is left that could have it.
fetch(code text "${asked}" offline true)
tsb_expect("from the cache" EQUAL ${code} 0)
tsb_expect("no line for what was there" LACKS "${text}" "demo 1.0 from")

# Not hashed again while size and time stay: the memory is trusted, which only a change of the same size and time shows.
file(READ "${cache}/demo/1.0/demo.tar.ok" memory)
file(SIZE "${cache}/demo/1.0/demo.tar" size)
string(RANDOM LENGTH ${size} other)
execute_process(COMMAND touch -r "${cache}/demo/1.0/demo.tar" "${box}/time")
file(WRITE "${cache}/demo/1.0/demo.tar" "${other}")
execute_process(COMMAND touch -r "${box}/time" "${cache}/demo/1.0/demo.tar")
fetch(code text "${asked}" offline true)
tsb_expect("not hashed again" EQUAL ${code} 0)
execute_process(COMMAND touch -d "2001-01-01 00:00:00" "${cache}/demo/1.0/demo.tar")
fetch(code text "${asked}" offline true)
tsb_expect("hashed again after a change" EQUAL ${code} 1)
tsb_expect("what is said" CONTAINS "${text}" "wrong sha256: expected ${sha256}, got")

# A device, which may have no end.
set(cache "${box}/a third cache")
file(MAKE_DIRECTORY "${box}/devices/demo/1.0")
file(CREATE_LINK /dev/null "${box}/devices/demo/1.0/demo.tar" SYMBOLIC)
fetch(code text "${asked}" offline true mirrors "[\"${box}/devices\"]")
tsb_expect("a device" EQUAL ${code} 1)
tsb_expect("a device" CONTAINS "${text}" "${box}/devices/demo/1.0/demo.tar is not a file")
