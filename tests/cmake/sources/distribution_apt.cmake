# SPDX-License-Identifier: BSD-3-Clause
# The same with the real apt and an archive of one source package and one binary package, made here.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
foreach(tool apt-get dpkg-source dpkg-scansources dpkg-scanpackages dpkg-deb)
  find_program(${tool}_path ${tool})
  if(NOT ${tool}_path)
    message("SKIP: ${tool} is not installed")
    return()
  endif()
endforeach()
# apt takes an address with blanks only when they are written as %20, as a machine's own list would have them.
set(archive "${box}/archive")
make_archive("${archive}/demo_1.0.orig.tar" demo-1.0)
execute_process(COMMAND gzip -n "${archive}/demo_1.0.orig.tar" COMMAND_ERROR_IS_FATAL ANY)
file(SHA256 "${archive}/demo_1.0.orig.tar.gz" source_hash)
set(tree "${box}/tree/demo-1.0")
file(
  WRITE "${tree}/debian/control"
  "Source: demo\nMaintainer: a <a@b.c>\nStandards-Version: 4.6.0\n\nPackage: demo\nArchitecture: all\nDescription: x\n y\n"
)
file(
  WRITE "${tree}/debian/changelog"
  "demo (1.0-1) unstable; urgency=low\n\n  * x\n\n -- a <a@b.c>  Mon, 01 Jan 2024 00:00:00 +0000\n"
)
file(WRITE "${tree}/debian/source/format" "3.0 (quilt)\n")
execute_process(
  COMMAND dpkg-source --build "${tree}"
  WORKING_DIRECTORY "${archive}"
  OUTPUT_QUIET
  ERROR_VARIABLE error
  RESULT_VARIABLE code
)
tsb_expect("dpkg-source ${error}" EQUAL ${code} 0)
file(
  WRITE "${box}/package/DEBIAN/control"
  "Package: tool\nVersion: 7~1\nArchitecture: all\nMaintainer: a <a@b.c>\nDescription: x\n"
)
file(WRITE "${box}/package/usr/include/tool.h" "int tool;\n")
execute_process(
  COMMAND dpkg-deb --build --root-owner-group "${box}/package" "${archive}/tool_7~1_all.deb" OUTPUT_QUIET
                                                                                             COMMAND_ERROR_IS_FATAL ANY
)
file(SHA256 "${archive}/tool_7~1_all.deb" binary_hash)
execute_process(
  COMMAND dpkg-scansources .
  WORKING_DIRECTORY "${archive}"
  OUTPUT_FILE "${archive}/Sources"
  ERROR_QUIET
)
execute_process(
  COMMAND dpkg-scanpackages .
  WORKING_DIRECTORY "${archive}"
  OUTPUT_FILE "${archive}/Packages"
  ERROR_QUIET
)
string(REPLACE " " "%20" address "file:${archive}")
file(
  WRITE "${box}/etc/sources.list.d/here.sources"
  "# a comment\nTypes: deb\nURIs: ${address}\nSuites: ./\nTrusted: yes\n"
)
file(WRITE "${box}/os-release" "ID=other\n")

add_pin(
  demo "{\"version\": \"1.0\", \"filename\": \"demo.tar.gz\", \"sha256\": \"${source_hash}\", \"strip\": 1,
  \"distribution\": {\"package\": \"demo\"}}"
)
add_pin(
  tool
  "{\"version\": \"7\", \"filename\": \"tool.deb\", \"sha256\": \"${binary_hash}\", \"strip\": 0, \"subdir\": \"usr/include\",
  \"into\": \"include\", \"distribution-binary\": {\"package\": \"tool\", \"version\": \"7~1\"}}"
)
# What the real apt says.
file(
  WRITE "${box}/bin/apt-get"
  "#!/bin/sh\necho \"$*\" >>'${box}/calls'\n'${apt-get_path}' \"$@\" 2>'${box}/said'\nstatus=$?\ncat '${box}/said' >>'${box}/calls'\ncat '${box}/said' >&2\nexit $status\n"
)
file(CHMOD "${box}/bin/apt-get" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(ENV{PATH} "${box}/bin:$ENV{PATH}")
fetch(
  code text "[{\"name\": \"demo\", \"required\": true}, {\"name\": \"tool\", \"required\": true}]" apt_etc
  "\"${box}/etc\"" os_release "\"${box}/os-release\""
)
tsb_expect("exit code" EQUAL ${code} 0)
tsb_expect("the line of demo" CONTAINS "${text}" "demo 1.0 from distribution (demo=1.0-1)")
unpack(tool "${box}/out")
tsb_expect("a file of the binary package" EXISTS "${box}/out/include/tool.h")

# Root's apt downloads as its own user where that one can get in.
file(READ "${box}/calls" calls)
tsb_expect("the calls" LACKS "${calls}" "APT::Sandbox")
execute_process(COMMAND runuser -u _apt -- test -x "${box}" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
if(status EQUAL 0)
  tsb_expect("what apt says" LACKS "${calls}" "performed unsandboxed")
endif()
