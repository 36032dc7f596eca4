# SPDX-License-Identifier: BSD-3-Clause
# tools/bench/build_twice.py says whether two folders of artifacts are the same, and where not.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
find_program(python NAMES python3 REQUIRED)
foreach(build IN ITEMS one other)
  file(WRITE "${TSB_TEST_DIR}/${build}/tree/libtorch/same.txt" "the same\n")
  file(WRITE "${TSB_TEST_DIR}/${build}/tree/libtorch/lib.so" "built in one\n")
  file(WRITE "${TSB_TEST_DIR}/${build}/dist/x.spdx.json" "{}\n")
endforeach()
function(pack build)
  execute_process(
    COMMAND sh -c "find . -exec touch -d 2020-01-01 {} + && exec \"$0\" -m zipfile -c ../dist/x.zip libtorch"
            "${python}" WORKING_DIRECTORY "${TSB_TEST_DIR}/${build}/tree" COMMAND_ERROR_IS_FATAL ANY
  )
endfunction()
pack(one)
pack(other)
set(compare "${python}" "${TSB_SOURCE_DIR}/tools/bench/build_twice.py" --compare "${TSB_TEST_DIR}/one/dist")
run(good ${compare} "${TSB_TEST_DIR}/other/dist")
file(SHA256 "${TSB_TEST_DIR}/one/dist/x.zip" hash)
tsb_expect("the same" CONTAINS "${output}" "same      x.zip ${hash}")

file(WRITE "${TSB_TEST_DIR}/other/tree/libtorch/lib.so" "built in two\n")
pack(other)
file(WRITE "${TSB_TEST_DIR}/other/dist/x.spdx.json" "[]\n")
file(WRITE "${TSB_TEST_DIR}/other/dist/more.zip" "")
run(bad ${compare} "${TSB_TEST_DIR}/other/dist")
tsb_expect(
  "what differs" CONTAINS "${output}" "DIFFERENT x.zip: libtorch/lib.so, byte 9: b'built in one"
  "DIFFERENT x.spdx.json: byte 0" "DIFFERENT more.zip: ${TSB_TEST_DIR}/one/dist/more.zip does not exist"
)
