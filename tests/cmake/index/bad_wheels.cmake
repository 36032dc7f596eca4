# SPDX-License-Identifier: BSD-3-Clause
# A wheel or zip that is wrong is named, and nothing is written.
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
add_wheel(demo_package 1.1 ${wheel})
stored_zip("${dist}/${wheel}" "${TSB_TEST_DIR}/wheels/demo_package-1.1")
execute_process(COMMAND sed -i "0,/answer/s//Answer/" "${dist}/${wheel}" COMMAND_ERROR_IS_FATAL ANY)
expect_bad(${wheel} "is damaged: the CRC of demo_package.py is wrong")

# 17 MiB of METADATA.
set(metadata "${TSB_TEST_DIR}/wheels/demo_package-1.1/demo_package-1.1.dist-info/METADATA")
execute_process(COMMAND truncate --size=17M "${metadata}" COMMAND_ERROR_IS_FATAL ANY)
set(good "${dist}/${wheel}")
file(RENAME "${good}" "${TSB_TEST_DIR}/good.whl")
stored_zip("${good}" "${TSB_TEST_DIR}/wheels/demo_package-1.1")
expect_bad(${wheel} "has more than 16 MiB of demo_package-1.1.dist-info/METADATA")
file(RENAME "${TSB_TEST_DIR}/good.whl" "${good}")

file(RENAME "${dist}/${wheel}" "${dist}/a.zip")
expect_bad(a.zip "is damaged: the CRC of demo_package.py is wrong")
file(WRITE "${dist}/a.zip" "no zip")
expect_bad(a.zip "is damaged: File is not a zip file")

file(REMOVE "${dist}/a.zip")

# Readers take the one or the other.
set(folder "${TSB_TEST_DIR}/wheels/demo_package-1.2")
add_wheel(demo_package 1.2 ${wheel})
file(WRITE "${folder}/other.dist-info/METADATA" "Name: demo_package\nVersion: 1.2\nRequires-Dist: other\n")
stored_zip("${dist}/${wheel}" "${folder}")
expect_bad(${wheel} "has more than one METADATA")
file(REMOVE_RECURSE "${folder}/other.dist-info")
stored_zip("${dist}/${wheel}" "${folder}")
execute_process(
  COMMAND
    "${python}" -W ignore -c "import sys, zipfile
zipfile.ZipFile(sys.argv[1], 'a').writestr('demo_package.py', 'answer = 43')" "${dist}/${wheel}" COMMAND_ERROR_IS_FATAL
    ANY
)
expect_bad(${wheel} "has a file twice: demo_package.py")

# 200 MB of a few bytes.
execute_process(COMMAND truncate --size=200M "${folder}/zeros" COMMAND_ERROR_IS_FATAL ANY)
tar("${dist}/${wheel}" --format=zip "${folder}")
expect_bad(${wheel} "unpacks to more than 8")
file(REMOVE "${dist}/${wheel}" "${folder}/zeros")

# The page of this project would be that of all projects.
add_wheel("" 1.1 -1.1-py3-none-any.whl)
expect_bad(-1.1-py3-none-any.whl "has a METADATA with a name that no project can have: ''")
file(REMOVE "${dist}/-1.1-py3-none-any.whl")

execute_process(COMMAND sh -c "touch \"$1/$(printf 'x\\377').zip\"" sh "${dist}" COMMAND_ERROR_IS_FATAL ANY)
make_index(3)
tsb_expect("not UTF-8" CONTAINS "${output}" "/x\\udcff.zip has a name that no page can show")
tsb_expect("pages" ABSENT "${dist}/simple")

set(dist "${TSB_TEST_DIR}/none")
make_index(4)
tsb_expect("the error" CONTAINS "${output}" "error: [Errno 2] No such file or directory: '${dist}'")
