# SPDX-License-Identifier: BSD-3-Clause
# A candidate that cannot be compiled for one of the architectures is not taken, from the cache neither, and the report
# of what is missing says why.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
include(${TSB_SOURCE_DIR}/cmake/detail/z_tsb_json.cmake)
string(REPEAT "a" 64 hash)
make_archive("${box}/mirror/demo/2.0/new.tar" demo-2.0)
add_pin(
  demo
  "{\"version\": \"1.0\", \"filename\": \"old.tar\", \"sha256\": \"${hash}\", \"strip\": 1}"
  "{\"version\": \"2.0\", \"filename\": \"new.tar\", \"sha256\": \"${sha256}\", \"strip\": 1, \"lowest_cuda_arch\": \"6.0\"}"
)
add_pin(
  other
  "{\"version\": \"2.0\", \"filename\": \"new.tar\", \"sha256\": \"${sha256}\", \"strip\": 1, \"lowest_cuda_arch\": \"6.0\"}"
)
set(asked "[{\"name\": \"demo\", \"required\": true, \"needed_by\": \"package demo\"}]")
set(from_mirror mirrors "[\"${box}/mirror\"]")

# built_for(<arch>...): sets `backend` for these architectures.
function(built_for)
  set(configured "{}")
  z_tsb_json_set_array(configured archs ${ARGN})
  set(
    backend backend "{\"kind\": \"cuda\", \"configured\": ${configured}}" pins_hook
            "\"${TSB_SOURCE_DIR}/backends/cuda/hooks/pins.py\"" PARENT_SCOPE
  )
endfunction()

# expect_refused(<report> <what follows "does not support architecture">)
function(expect_refused text words)
  tsb_expect("exit code" EQUAL ${code} 1)
  tsb_expect("what is missing" CONTAINS "${text}" "demo 1.0, needed by package demo")
  tsb_expect(
    "why" CONTAINS "${text}" "skipped 2.0: it does not support architecture ${words}; mirror: not in ${box}/mirror"
  )
  tsb_expect("a file that would do" CONTAINS "${text}" "file: ${cache}/demo/1.0/old.tar")
  tsb_expect("one that would not" LACKS "${text}" "demo/2.0/new.tar")
endfunction()

built_for(5.0 5.2+PTX 8.0 10.0a+PTX)
fetch(code text "${asked}" ${from_mirror} ${backend})
expect_refused("${text}" "5.0, 5.2+PTX (it is used with TSB_CUDA_ARCHS=\"8.0 10.0a+PTX\")")
tsb_expect("nothing fetched" ABSENT "${cache}/demo")
foreach(archs IN ITEMS "6.0 10.0" "")
  separate_arguments(list UNIX_COMMAND "${archs}")
  built_for(${list})
  fetch(code text "${asked}" ${from_mirror} ${backend})
  tsb_expect("exit code for ${archs}" EQUAL ${code} 0)
  entry(version demo version)
  tsb_expect("what is taken for ${archs}" EQUAL "${version}" 2.0)
endforeach()

# Now it is in the cache.
built_for(5.0)
fetch(code text "${asked}" ${from_mirror} ${backend})
expect_refused("${text}" "5.0")

# Not one of the candidates is left.
set(asked "[{\"name\": \"other\", \"required\": true, \"needed_by\": \"package other\"}]")
built_for(5.0 6.0)
fetch(code text "${asked}" ${from_mirror} ${backend})
tsb_expect("exit code" EQUAL ${code} 1)
tsb_expect("what is missing" CONTAINS "${text}" "  other, needed by package other")
tsb_expect(
  "why" CONTAINS "${text}"
  "      skipped 2.0: it does not support architecture 5.0 (it is used with TSB_CUDA_ARCHS=\"6.0\")\nFor each"
)
