# SPDX-License-Identifier: BSD-3-Clause
# The private source list is made of the machine's own, in both formats, on Debian, on Ubuntu and elsewhere.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
find_program(python python3 REQUIRED)
macro(sources types)
  execute_process(
    COMMAND
      ${python} -c
      "import sys; from providers.apt_sources import make_source_list; print(make_source_list(*sys.argv[1:]), end='')"
      ${types} "${box}/etc" "${box}/os-release"
    WORKING_DIRECTORY "${scripts}"
    OUTPUT_VARIABLE text
    ERROR_VARIABLE reason
  )
endmacro()
function(check what types expected)
  sources(${types})
  tsb_expect("${what}: reason" EQUAL "${reason}" "")
  tsb_expect("${what}" EQUAL "${text}" "${expected}")
  file(REMOVE_RECURSE "${box}/etc")
endfunction()

file(WRITE "${box}/os-release" "PRETTY_NAME=\"x\"\nID=debian\nVERSION_CODENAME=bookworm\n")
file(WRITE "${box}/etc/sources.list.d/another.list" "deb [arch=amd64] https://tool.invalid/deb bookworm-tool main\n")
file(
  WRITE "${box}/etc/sources.list.d/off.sources" "Types: deb\nURIs: http://off.invalid\nSuites: bookworm\nEnabled: no\n"
)
file(
  WRITE "${box}/etc/sources.list.d/own.sources"
  "# made by hand\nTypes: deb deb-src\nURIs: http://own.invalid/debian\n http://second.invalid\nSuites: bookworm bookworm-updates\nComponents: main\nSigned-By: /keys/own.gpg\n\nTypes: deb\nURIs: http://own.invalid/security\nSuites: bookworm-security\n"
)
check(
  "deb822"
  deb-src
  "Types: deb-src
URIs: http://own.invalid/debian
Suites: bookworm trixie forky sid experimental
Components: main contrib non-free
Signed-By: /keys/own.gpg
"
)

file(
  WRITE "${box}/etc/sources.list"
  "# a comment\n\ndeb [ signed-by=/keys/a.gpg trusted=yes ] http://own.invalid/debian bookworm main\n"
)
check(
  "one line each"
  deb
  "Types: deb
URIs: http://own.invalid/debian
Suites: bookworm trixie forky sid experimental
Components: main contrib non-free
Signed-By: /keys/a.gpg
Trusted: yes
"
)

# A key may be in the file itself. No line of this file may end in a blank.
set(blank " ")
file(
  WRITE "${box}/etc/sources.list.d/own.sources"
  "Types: deb\nURIs: http://own.invalid/debian\nSuites: bookworm\nSigned-By:\n -----BEGIN KEY-----\n .\n abc;[d]=\n -----END KEY-----\n"
)
check(
  "a key in the file"
  deb-src
  "Types: deb-src
URIs: http://own.invalid/debian
Suites: bookworm trixie forky sid experimental
Components: main contrib non-free
Signed-By:${blank}
 -----BEGIN KEY-----
 .
 abc;[d]=
 -----END KEY-----
"
)

file(WRITE "${box}/os-release" "ID=ubuntu\nVERSION_CODENAME=noble\n")
file(WRITE "${box}/etc/sources.list" "deb http://own.invalid/ubuntu noble main\n")
check(
  "Ubuntu"
  deb-src
  "Types: deb-src
URIs: http://own.invalid/ubuntu
Suites: noble noble-updates
Components: main universe multiverse restricted
"
)

file(WRITE "${box}/os-release" "ID=other\n")
file(WRITE "${box}/etc/sources.list" "deb http://own.invalid/other rolling main\n")
check(
  "elsewhere"
  deb-src
  "Types: deb-src
URIs: http://own.invalid/other
Suites: rolling
Components: main
"
)

sources(deb-src)
tsb_expect("no sources at all" EQUAL "${text}" "")
