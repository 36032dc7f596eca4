# SPDX-License-Identifier: BSD-3-Clause
# repodata.json of a conda channel, with and without the packages.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
set(
  index
  "{\"name\": \"demo\", \"version\": \"1.0\", \"build\": \"h0_0\", \"build_number\": 0, \"subdir\": \"linux-64\", \"depends\": []}"
)
set(file linux-64/demo-1.0-h0_0.conda)
add_conda(${file} "${index}")
make_index(0)
tsb_expect("the summary" CONTAINS "${output}" "1 conda packages")
file(SHA256 "${dist}/${file}" sha256)
file(SIZE "${dist}/${file}" size)
set(record packages.conda demo-1.0-h0_0.conda)
expect_json(linux-64/repodata.json demo ${record} name)
expect_json(linux-64/repodata.json ${sha256} ${record} sha256)
expect_json(linux-64/repodata.json ${size} ${record} size)
expect_json(linux-64/repodata.json linux-64 info subdir)
expect_json(noarch/repodata.json "{}" packages.conda)
file(READ "${dist}/SHA256SUMS" sums)
tsb_expect("SHA256SUMS" EQUAL "${sums}" "${sha256}  ${file}\n")
file(READ "${dist}/index.html" html)
tsb_expect("the list" CONTAINS "${html}" "This folder is a conda channel.")
tsb_expect("the link" CONTAINS "${html}" "href=\"${file}#sha256=")
# A package that is gone is not listed any more.
file(REMOVE "${dist}/${file}")
make_index(0)
expect_json(linux-64/repodata.json "{}" packages.conda)

# expect_bad(<what is said about the package>)
function(expect_bad words)
  make_index(3)
  tsb_expect("the error" CONTAINS "${output}" "error: ${dist}/linux-64/demo-1.1-h0_0.conda ${words}")
  tsb_expect("the error" CONTAINS "${output}" "remedy: make it again, or take it away")
endfunction()
set(file linux-64/demo-1.1-h0_0.conda)
add_conda(${file} "${index}")
expect_bad("has another name than its index.json says, or is in the wrong folder: linux-64/demo-1.0-h0_0.conda")

# What info/index.json says.
string(REPLACE "1.0" "1.1" index "${index}")
foreach(
  case IN
  ITEMS
    "build_number REMOVE" "build_number SET -1" "build_number SET 1.5" "build_number SET true" "depends REMOVE"
    "depends SET [1]" "constrains SET \"a\"" "name SET \"Demo\"" "version SET \"1-1\"" "version SET 1.1"
    "build SET \"\"" "subdir REMOVE"
)
  string(REPLACE " " ";" case "${case}")
  list(POP_FRONT case member operation)
  string(JSON wrong ${operation} "${index}" ${member} ${case})
  add_conda(${file} "${wrong}")
  expect_bad("has no valid ${member} in its info/index.json: ")
endforeach()
add_conda(${file} "[]")
expect_bad("has an info/index.json that is not a JSON object")
add_conda(${file} "no JSON")
expect_bad("is damaged: ")
string(REPLACE "\"build_number\": 0" "\"build_number\": 0, \"timestamp\": NaN" wrong "${index}")
add_conda(${file} "${wrong}")
expect_bad("is damaged: Out of range float")

function(nest depth)
  string(REPEAT "[" ${depth} begin)
  string(REPEAT "]" ${depth} end)
  string(REPLACE "}" ", \"x\": ${begin}${end}}" nested "${index}")
  add_conda(${file} "${nested}")
endfunction()
nest(99)
make_index(0)
nest(100)
expect_bad("has an info/index.json that is nested more than 100 levels deep")
nest(100000) # Python refuses to read that
expect_bad("is damaged: ")

# The zip, and what is in it.
file(WRITE "${dist}/${file}" "no zip")
expect_bad("is damaged: ")
set(package "${TSB_TEST_DIR}/conda/package")
set(info "${package}/info-demo-1.0-h0_0.tar.zst")
tar("${dist}/${file}" --format=zip "${package}")
expect_bad("is compressed twice: info-demo-1.0-h0_0.tar.zst")
add_conda(${file} "${index}")
execute_process(COMMAND sed -i "0,/files/s//filet/" "${dist}/${file}" COMMAND_ERROR_IS_FATAL ANY)
expect_bad("is damaged: the CRC of pkg-demo-1.0-h0_0.tar.zst is wrong")
tar("${info}" --zstd "${package}")
stored_zip("${dist}/${file}" "${package}")
expect_bad("is damaged: CMake Error: tar: info/index.json: Not found in archive")
# A link, which would put somebody's file on the page.
file(WRITE "${TSB_TEST_DIR}/secret" "${index}")
foreach(kind IN ITEMS SYMTYPE LNKTYPE FIFOTYPE DIRTYPE)
  execute_process(
    COMMAND
      "${python}" -c "import io, sys, tarfile
with tarfile.open(sys.argv[1], 'w') as tar:
    member = tarfile.TarInfo('info/index.json')
    member.type, member.linkname = getattr(tarfile, sys.argv[3]), sys.argv[2]
    tar.addfile(member)" "${info}" "${TSB_TEST_DIR}/secret" ${kind} COMMAND_ERROR_IS_FATAL ANY
  )
  stored_zip("${dist}/${file}" "${package}")
  expect_bad("has an info/index.json that is not a file, or is a link")
endforeach()
# What comes behind a link and below it, which would be written where the link leads.
file(MAKE_DIRECTORY "${TSB_TEST_DIR}/outside")
execute_process(
  COMMAND
    "${python}" -c "import io, sys, tarfile
with tarfile.open(sys.argv[1], 'w') as tar:
    link = tarfile.TarInfo('info/index.json')
    link.type, link.linkname = tarfile.SYMTYPE, sys.argv[2]
    tar.addfile(link)
    below = tarfile.TarInfo('info/index.json/evil')
    below.size = 1
    tar.addfile(below, io.BytesIO(b'x'))" "${info}" "${TSB_TEST_DIR}/outside" COMMAND_ERROR_IS_FATAL ANY
)
stored_zip("${dist}/${file}" "${package}")
expect_bad("has more than one info/index.json")
tsb_expect("a file outside" ABSENT "${TSB_TEST_DIR}/outside/evil")
# The same file by another name.
foreach(name IN ITEMS ./info/index.json info//index.json info/../info/index.json)
  execute_process(
    COMMAND
      "${python}" -c "import io, tarfile, sys
with tarfile.open(sys.argv[1], 'w') as tar:
    for name in (sys.argv[2], 'info/index.json'):
        member = tarfile.TarInfo(name)
        member.size = 2
        tar.addfile(member, io.BytesIO(b'{}'))" "${info}" ${name} COMMAND_ERROR_IS_FATAL ANY
  )
  stored_zip("${dist}/${file}" "${package}")
  expect_bad("has more than one info/index.json")
endforeach()
file(WRITE "${package}/info-other-1.0-h0_0.tar.zst" "another")
stored_zip("${dist}/${file}" "${package}")
expect_bad("has more than one info-*.tar.zst")
file(REMOVE "${package}/info-other-1.0-h0_0.tar.zst")
# 17 MiB, and a file that goes on where the limit of the shell ends it.
foreach(size IN ITEMS 17M 100M)
  file(MAKE_DIRECTORY "${TSB_TEST_DIR}/large/info")
  execute_process(COMMAND truncate --size=${size} "${TSB_TEST_DIR}/large/info/index.json" COMMAND_ERROR_IS_FATAL ANY)
  tar("${info}" --zstd "${TSB_TEST_DIR}/large")
  stored_zip("${dist}/${file}" "${package}")
  expect_bad("has more than 16 MiB of info/index.json")
endforeach()
file(WRITE "${info}" "no tar")
stored_zip("${dist}/${file}" "${package}")
expect_bad("is damaged: CMake Error: ")
file(REMOVE "${info}")
stored_zip("${dist}/${file}" "${package}")
expect_bad("has no info-*.tar.zst")
add_conda(${file} "${index}")
file(REMOVE "${package}/pkg-demo-1.0-h0_0.tar.zst")
stored_zip("${dist}/${file}" "${package}")
expect_bad("is damaged: \"There is no item named 'pkg-demo-1.0-h0_0.tar.zst' in the archive\"")
file(WRITE "${package}/metadata.json" "{\"conda_pkg_format_version\": 3}")
stored_zip("${dist}/${file}" "${package}")
expect_bad("has a metadata.json that does not say that it is of format 2")
file(REMOVE "${package}/metadata.json")
stored_zip("${dist}/${file}" "${package}")
expect_bad("is damaged: \"There is no item named 'metadata.json' in the archive\"")

# A link to a folder, such as `latest`, does not name its packages once more.
add_conda(${file} "${index}")
file(CREATE_LINK linux-64 "${dist}/latest" SYMBOLIC)
make_index(0)
expect_json(linux-64/repodata.json 1.1 packages.conda demo-1.1-h0_0.conda version)

# The python3 of the path may be a script that needs the path.
execute_process(
  COMMAND "${python}" -c "import sys; print(sys.executable)" OUTPUT_VARIABLE python OUTPUT_STRIP_TRAILING_WHITESPACE
                                                                                    COMMAND_ERROR_IS_FATAL ANY
)
set(ENV{PATH} "${TSB_TEST_DIR}")
make_index(4)
tsb_expect("the error" CONTAINS "${output}" "error: cmake, which reads conda packages, is not on the PATH")
tsb_expect("the error" CONTAINS "${output}" "remedy: check the path, permissions and free space")
