# SPDX-License-Identifier: BSD-3-Clause
# The distribution's archives, with stand-ins for apt: whatever version of the package has the pinned archive will do;
# a refusal is passed on; the private state is updated once, from the machine's own sources.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
make_archive("${box}/archives/demo_1.0.orig.tar" demo-1.0)
set(hash ${sha256})
string(REPEAT "0" 64 zeros)
file(
  WRITE "${box}/bin/apt-cache"
  "#!/bin/sh
for last; do :; done
[ \"$last\" = absent ] && exit 100
cat <<END
Package: $last
Version: 2.0-1
Checksums-Sha256:
 ${zeros} 10 $last\_2.0.orig.tar

Package: $last
Version: 1.0-3~old
Checksums-Sha256:
 ${zeros} 10 $last\_1.0-3.dsc
 ${hash} ${size} demo_1.0.orig.tar

END
"
)
file(
  WRITE "${box}/bin/apt-get"
  "#!/bin/sh
echo \"$@\" >>\"${box}/apt.log\"
for last; do :; done
lists=
for argument; do
  case $argument in
    Dir::State::Lists=*) lists=\${argument#*=};;
    Dir::Etc::SourceList=*) list=\${argument#*=};;
  esac
done
case $last in
  update) touch \"$lists/x_Sources\" \"$lists/x_Packages\"; folder=\${list%/*}
    cp \"$list\" \"${box}/\${folder##*/}.list\";;
  demo=1.0-3~old) cp \"${box}/archives/demo_1.0.orig.tar\" .;;
  tool=7) cp \"${box}/archives/demo_1.0.orig.tar\" tool_7_all.deb;;
  *) echo 'E: Failed to fetch x  404  Not Found' >&2; exit 100;;
esac
"
)
file(CHMOD "${box}/bin/apt-cache" "${box}/bin/apt-get" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(ENV{PATH} "${box}/bin:$ENV{PATH}")
file(WRITE "${box}/etc/sources.list" "deb http://archive.invalid/x stable main\n")
file(WRITE "${box}/os-release" "ID=other\n")
set(
  candidate "{\"version\": \"1.0\", \"filename\": \"demo.tar\", \"sha256\": \"${hash}\", \"strip\": 1,
  \"distribution\": {\"package\": \"demo\"}}"
)
add_pin(demo "${candidate}")
string(JSON refused SET "${candidate}" distribution package "\"refused\"")
add_pin(refused "${refused}")
string(JSON absent SET "${candidate}" distribution package "\"absent\"")
add_pin(absent "${absent}")
string(REPEAT "1" 64 ones)
string(JSON moved SET "${candidate}" sha256 "\"${ones}\"")
add_pin(moved "${moved}")
add_pin(
  tool "{\"version\": \"7\", \"filename\": \"tool.deb\", \"sha256\": \"${hash}\", \"strip\": 0,
  \"distribution-binary\": {\"package\": \"tool\", \"version\": \"7\"}}"
)
set(asked "[{\"name\": \"demo\", \"required\": true}, {\"name\": \"tool\", \"required\": true}")
foreach(name refused absent moved)
  string(APPEND asked ", {\"name\": \"${name}\", \"required\": false}")
endforeach()
fetch(code text "${asked}]" apt_etc "\"${box}/etc\"" os_release "\"${box}/os-release\"")
tsb_expect("exit code" EQUAL ${code} 0)
tsb_expect("the line of demo" CONTAINS "${text}" "demo 1.0 from distribution (demo=1.0-3~old)")
tsb_expect("the line of tool" CONTAINS "${text}" "tool 7 from distribution-binary (tool=7)")
entry(kind tool kind)
tsb_expect("kind" EQUAL "${kind}" deb)
entry(reason refused reason)
tsb_expect("a refusal" EQUAL "${reason}" "distribution: the archives refuse it (HTTP 404)")
entry(reason absent reason)
tsb_expect("a package that is not there" EQUAL "${reason}" "distribution: absent is not in the archives")
entry(reason moved reason)
tsb_expect(
  "another archive" EQUAL "${reason}" "distribution: demo in the archives is 2.0-1, 1.0-3~old, with other files"
)
file(STRINGS "${box}/apt.log" updates REGEX " update$")
list(LENGTH updates count)
tsb_expect("updates, one for sources and one for binaries" EQUAL ${count} 2)
file(READ "${box}/apt.log" log)
tsb_expect("the state is private" CONTAINS "${log}" "Dir::State::Lists=${box}/scratch/fetch-")
tsb_expect("only the archive is asked for" CONTAINS "${log}" "--download-only --tar-only demo=1.0-3~old")
file(READ "${box}/apt-deb-src.list" list)
tsb_expect(
  "the source list" EQUAL "${list}"
  "Types: deb-src\nURIs: http://archive.invalid/x\nSuites: stable\nComponents: main\n"
)
