# SPDX-License-Identifier: BSD-3-Clause
# A wheel that is wrong is named, and nothing is written.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)

# expect_bad(<file> <what is said about it>)
function(expect_bad file words)
  make_index(3)
  tsb_expect("the error" CONTAINS "${output}" "error: ${dist}/${file} ${words}")
  tsb_expect("the error" CONTAINS "${output}" "remedy: make it again, or take it away")
  tsb_expect("pages" ABSENT "${dist}/simple")
endfunction()
set(wheel demo_package-1.1-py3-none-any.whl)
add_wheel(demo_package 1.0+cpu ${wheel})
expect_bad(${wheel} "has another name than its METADATA says: demo_package 1.0+cpu")
execute_process(COMMAND truncate --size=-40 "${dist}/${wheel}" COMMAND_ERROR_IS_FATAL ANY)
expect_bad(${wheel} "is damaged: ")
tar("${dist}/${wheel}" --format=zip "${TSB_TEST_DIR}/wheels")
expect_bad(${wheel} "has no METADATA")

file(REMOVE "${dist}/${wheel}")
execute_process(COMMAND sh -c "touch \"$1/$(printf 'x\\377').zip\"" sh "${dist}" COMMAND_ERROR_IS_FATAL ANY)
make_index(3)
tsb_expect("not UTF-8" CONTAINS "${output}" ".zip has a name that no page can show")
tsb_expect("pages" ABSENT "${dist}/simple")

set(dist "${TSB_TEST_DIR}/none")
make_index(4)
tsb_expect("the error" CONTAINS "${output}" "error: [Errno 2] No such file or directory: '${dist}'")
