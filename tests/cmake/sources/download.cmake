# SPDX-License-Identifier: BSD-3-Clause
# A mirror behind http, and the archive of upstream, whose second address is asked when the first has nothing.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
make_archive("${box}/www/mirror/demo/1.0/demo.tar" demo-1.0)
add_pin(demo "{\"version\": \"1.0\", \"filename\": \"demo.tar\", \"sha256\": \"${sha256}\", \"strip\": 1}")
make_archive("${box}/www/other.tar" other-2.0)
start_server("${box}/www")
add_pin(
  other "{\"version\": \"2.0\", \"filename\": \"renamed.tar\", \"sha256\": \"${sha256}\", \"strip\": 1,
  \"url\": [\"${server}/good/no.tar\", \"${server}/good/other.tar\"]}"
)
fetch(
  code text "[{\"name\": \"demo\", \"required\": true}, {\"name\": \"other\", \"required\": true}]" mirrors
  "[\"${server}/good/mirror/\"]"
)
stop_server()
tsb_expect("exit code" EQUAL ${code} 0)
tsb_expect("the line of demo" CONTAINS "${text}" "demo 1.0 from mirror (${server}/good/mirror/demo/1.0/demo.tar)")
tsb_expect("the line of other" CONTAINS "${text}" "other 2.0 from upstream (${server}/good/other.tar)")
tsb_expect("the file" EXISTS "${cache}/other/2.0/renamed.tar")
entry(provider other provider)
tsb_expect("provider" EQUAL "${provider}" upstream)
