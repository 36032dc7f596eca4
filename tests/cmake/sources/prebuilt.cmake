# SPDX-License-Identifier: BSD-3-Clause
# Only what the pin lists is taken from a folder of the user's that holds an installed copy: the rest of a prefix is
# somebody else's. A folder without the first of these files is a source tree.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
string(REPEAT 0 64 zeros)
add_pin(demo "{\"version\": \"1.0\", \"filename\": \"demo.tar\", \"sha256\": \"${zeros}\", \"strip\": 1}")
string(
  JSON sources SET "${sources}" demo prebuilt
  "[\"lib*/libdemo.*\", \"include/demo*.h\", \"share/doc/*demo*/copyright\"]"
)
set(asked "[{\"name\": \"demo\", \"required\": true}]")
set(prefix "${box}/a prefix")
foreach(
  file IN ITEMS lib64/libdemo.so.2 lib64/libother.so include/demo.h include/demo_more.h include/other.h CMakeLists.txt
)
  file(WRITE "${prefix}/${file}" "${file}")
endforeach()
file(CREATE_LINK libdemo.so.2 "${prefix}/lib64/libdemo.so" SYMBOLIC)

fetch(code text "${asked}" local "{\"demo\": \"${prefix}\"}")
tsb_expect("exit code" EQUAL ${code} 0)
entry(tree_sha256 demo tree_sha256)
set(taken lib64/libdemo.so lib64/libdemo.so.2 include/demo.h include/demo_more.h)
file(READ "${result_file}" result)
string(JSON entry GET "${result}" sources demo)
include("${scripts}/../detail/z_tsb_json.cmake")
z_tsb_json_get_list(files "${entry}" files)
tsb_expect("what is taken" EQUAL "${files}" "${taken}")
execute_process(
  COMMAND sha256sum include/demo.h include/demo_more.h lib64/libdemo.so lib64/libdemo.so.2 WORKING_DIRECTORY "${prefix}"
  OUTPUT_VARIABLE sums COMMAND_ERROR_IS_FATAL ANY
)
string(SHA256 sum "${sums}")
tsb_expect("the hash of what is taken" EQUAL "${tree_sha256}" "${sum}")

# expect_unpacked(<what> <file>...): exactly these.
function(expect_unpacked what)
  unpack(demo "${box}/out")
  file(GLOB_RECURSE found RELATIVE "${box}/out" "${box}/out/*")
  set(wanted ${ARGN})
  list(SORT wanted)
  tsb_expect("what is unpacked, ${what}" EQUAL "${found}" "${wanted}")
endfunction()
expect_unpacked("an installed copy" ${taken})
file(READ_SYMLINK "${box}/out/lib64/libdemo.so" link)
tsb_expect("the link" EQUAL "${link}" libdemo.so.2)

# What others do in the prefix is nothing to it; what happens to its own files is.
file(WRITE "${prefix}/include/other.h" "changed by others")
fetch(code text "${asked}" local "{\"demo\": \"${prefix}\"}")
entry(same demo tree_sha256)
tsb_expect("the hash, others changed" EQUAL "${same}" "${tree_sha256}")
file(WRITE "${prefix}/include/demo.h" "changed by its owner")
fetch(code text "${asked}" local "{\"demo\": \"${prefix}\"}")
entry(changed demo tree_sha256)
if(changed STREQUAL tree_sha256)
  message(FATAL_ERROR "the hash does not see a change of the copy")
endif()

# No library of it: the whole folder, a source tree.
file(REMOVE_RECURSE "${prefix}/lib64")
fetch(code text "${asked}" local "{\"demo\": \"${prefix}\"}")
expect_unpacked("a source tree" CMakeLists.txt include/demo.h include/demo_more.h include/other.h)
