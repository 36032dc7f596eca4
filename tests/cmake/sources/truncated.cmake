# SPDX-License-Identifier: BSD-3-Clause
# A download that ends early is named as such and never counts, whether the server breaks off or promises too little.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
make_archive("${box}/www/demo.tar" demo-1.0 300000)
start_server("${box}/www")
set(
  candidate
  "{\"version\": \"1.0\", \"filename\": \"demo.tar\", \"sha256\": \"${sha256}\", \"size\": ${size}, \"strip\": 1}"
)
set(asked "[{\"name\": \"demo\", \"required\": true}]")
math(EXPR half "${size} / 2")
# progress(<out> <transfers>): what has arrived when each of them brings half of the rest.
function(progress out transfers)
  set(got 0)
  foreach(transfer RANGE 1 ${transfers})
    math(EXPR got "${got} + (${size} - ${got}) / 2")
  endforeach()
  set(${out} ${got} PARENT_SCOPE)
endfunction()

string(JSON broken SET "${candidate}" url "[\"${server}/truncated/demo.tar\"]")
add_pin(demo "${broken}")
fetch(code text "${asked}")
tsb_expect("exit code" EQUAL ${code} 1)
progress(got 3) # a lost connection is asked again twice
tsb_expect(
  "what is said" CONTAINS "${text}" "truncated: got ${got} of ${size} bytes, from ${server}/truncated/demo.tar"
)
tsb_expect("the file" ABSENT "${cache}/demo/1.0/demo.tar")

# Broken off again, it has come further.
fetch(code text "${asked}")
progress(more 6)
tsb_expect(
  "what is said" CONTAINS "${text}" "truncated: got ${more} of ${size} bytes, from ${server}/truncated/demo.tar"
)
tsb_expect("the file" ABSENT "${cache}/demo/1.0/demo.tar")

string(JSON broken SET "${candidate}" url "[\"${server}/short/demo.tar\"]")
add_pin(demo "${broken}")
file(REMOVE_RECURSE "${cache}")
fetch(code text "${asked}")
tsb_expect("exit code" EQUAL ${code} 1)
tsb_expect("what is said" CONTAINS "${text}" "truncated: got ${half} of ${size} bytes, from ${server}/short/demo.tar")
tsb_expect("the file" ABSENT "${cache}/demo/1.0/demo.tar")

# The next provider makes up for it.
file(COPY "${box}/www/demo.tar" DESTINATION "${box}/www/mirror/demo/1.0")
string(JSON broken SET "${candidate}" url "[\"${server}/truncated/demo.tar\", \"${server}/good/demo.tar\"]")
add_pin(demo "${broken}")
fetch(code text "${asked}")
stop_server()
tsb_expect("exit code" EQUAL ${code} 0)
file(SHA256 "${cache}/demo/1.0/demo.tar" got)
tsb_expect("sha256" EQUAL "${got}" "${sha256}")
