# SPDX-License-Identifier: BSD-3-Clause
# What is left of an earlier download does no harm: a server that cannot go on sends everything, and a beginning that
# was of something else is thrown away.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
make_archive("${box}/www/demo.tar" demo-1.0 300000)
start_server("${box}/www")
set(
  candidate
  "{\"version\": \"1.0\", \"filename\": \"demo.tar\", \"sha256\": \"${sha256}\", \"size\": ${size}, \"strip\": 1}"
)
set(asked "[{\"name\": \"demo\", \"required\": true}]")
foreach(kind norange good)
  file(REMOVE_RECURSE "${cache}")
  file(WRITE "${cache}/demo/1.0/demo.tar.part" "the beginning of something else")
  string(JSON candidate SET "${candidate}" url "[\"${server}/${kind}/demo.tar\"]")
  add_pin(demo "${candidate}")
  fetch(code text "${asked}")
  tsb_expect("exit code (${kind})" EQUAL ${code} 0)
  file(SHA256 "${cache}/demo/1.0/demo.tar" got)
  tsb_expect("sha256 (${kind})" EQUAL "${got}" "${sha256}")
endforeach()
stop_server()
