# SPDX-License-Identifier: BSD-3-Clause
# A candidate of last resort waits until every provider was asked for the others, also a later provider.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
make_archive("${box}/old.tar" demo-1.0)
set(old ${sha256})
make_archive("${box}/www/new.tar" demo-2.0)
start_server("${box}/www")
add_pin(
  demo
  "{\"version\": \"1.0\", \"filename\": \"old.tar\", \"sha256\": \"${old}\", \"strip\": 1, \"last_resort\": true}"
  "{\"version\": \"2.0\", \"filename\": \"new.tar\", \"sha256\": \"${sha256}\", \"strip\": 1, \"url\": [\"${server}/good/new.tar\"]}"
)
file(MAKE_DIRECTORY "${box}/mirror/demo/1.0")
file(COPY_FILE "${box}/old.tar" "${box}/mirror/demo/1.0/old.tar")
set(asked "[{\"name\": \"demo\", \"required\": true}]")
fetch(code text "${asked}" mirrors "[\"${box}/mirror\"]")
stop_server()
entry(version demo version)
tsb_expect("with the network" EQUAL "${version}" 2.0)
file(REMOVE_RECURSE "${cache}")
fetch(code text "${asked}" mirrors "[\"${box}/mirror\"]" offline true)
entry(version demo version)
tsb_expect("without it" EQUAL "${version}" 1.0)
