# SPDX-License-Identifier: BSD-3-Clause
# cpack packs what is staged, once: a zip that is up to date is left alone, one that somebody replaced is packed again.
include("${CMAKE_CURRENT_LIST_DIR}/superbuild.cmake")
set(dist "${TSB_TEST_DIR}/a dist")
set(stage "${build}/stage/libtorch-shared-with-deps")
set(debug_zip "${dist}/debug-libtorch-cxx11-abi-shared-with-deps-2.6.0+cpu.zip")
set(zip "${dist}/libtorch-cxx11-abi-shared-with-deps-2.6.0+cpu.zip")
configure(libtorch-shared-with-deps)
tsb_expect("configure (${output})" EQUAL ${code} 0)
# Stands in for `torchpkg pack --root R --output O`.
file(
  WRITE "${build}/packaging/torchpkg/torchpkg"
  "#!/bin/sh
echo \"$1 $2 $4\" >>'${TSB_TEST_DIR}/ran'
[ -e '${TSB_TEST_DIR}/fail' ] && { echo 'torchpkg: the disk is full' >&2; exit 4; }
ls \"$3\" >\"$5\"\n"
)
file(CHMOD "${build}/packaging/torchpkg/torchpkg" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

pack(bad no)
tsb_expect(
  "not staged" CONTAINS "${output}" "libtorch-shared-with-deps is not staged build first: cmake --build \"${build}\""
)

file(WRITE "${stage}/libtorch/build-version" "2.6.0+cpu\n")
file(WRITE "${stage}/debug/libtorch/lib/.debug/libc10.so.debug" "lines\n")
staged(libtorch-shared-with-deps "one")
pack(good yes)
file(READ "${TSB_TEST_DIR}/ran" ran)
tsb_expect("command" EQUAL "${ran}" "pack --root --output\npack --root --output\n")
file(READ "${zip}" text)
tsb_expect("zip" EQUAL "${text}" "build-version\nmanifest.json\n")
file(READ "${debug_zip}" text)
tsb_expect("debug zip" EQUAL "${text}" "lib\n")
pack(good no)

# The statements lie beside both, and one that was removed comes back, without packing.
foreach(file IN LISTS zip debug_zip)
  file(READ "${file}.intoto.json" statement)
  file(SHA256 "${file}" hash)
  string(JSON said GET "${statement}" subject 0 digest sha256)
  tsb_expect("the statement of ${file}" EQUAL "${said}" "${hash}")
  file(REMOVE "${file}.intoto.json")
  pack(good no)
  tsb_expect("a statement that was removed" EXISTS "${file}.intoto.json")
endforeach()

# A signature goes when nothing signs any more; a signer that fails leaves the old files, and the next run goes on.
set(ENV{TSB_SIGN} "sign() { echo signature >\"$1.sig\"; }; sign")
pack(good no)
tsb_expect("a signature" EXISTS "${zip}.intoto.json.sig")
set(ENV{TSB_SIGN} "exit 3; echo secret")
pack(bad no)
tsb_expect("words" CONTAINS "${output}" "error: the provenance statement of libtorch-shared-with-deps cannot be made")
tsb_expect("words" CONTAINS "${output}" "the command in TSB_SIGN ended with 3 for debug-libtorch-cxx11-abi")
tsb_expect("words" LACKS "${output}" "secret")
tsb_expect("the old signature" EXISTS "${zip}.intoto.json.sig")
unset(ENV{TSB_SIGN})
pack(good no)
tsb_expect("a signature that is not made any more" ABSENT "${zip}.intoto.json.sig")
pack(good no)

# Touched, which changes nothing; replaced, by one of the same size and by one of another size; removed.
execute_process(COMMAND touch -d "2001-01-01" "${zip}")
pack(good no)
file(WRITE "${zip}" "BUILD-VERSION\n")
pack(good yes)
pack(good no)
file(APPEND "${zip}" "appended")
pack(good yes)
file(READ "${zip}" text)
tsb_expect("zip" EQUAL "${text}" "build-version\nmanifest.json\n")
foreach(removed IN LISTS zip debug_zip)
  file(REMOVE "${removed}")
  pack(good yes)
  pack(good no)
endforeach()

# Staged anew with other inputs.
staged(libtorch-shared-with-deps "two")
pack(good yes)
pack(good no)

# The bills of materials lie beside the zip; one that was removed comes back.
file(WRITE "${stage}/libtorch/sbom.spdx.json" "spdx\n")
file(WRITE "${stage}/libtorch/sbom.cdx.json" "cdx\n")
staged(libtorch-shared-with-deps "two and bills")
pack(good yes)
string(REGEX REPLACE "\\.zip$" "" base "${zip}")
foreach(kind IN ITEMS spdx cdx)
  file(READ "${base}.${kind}.json" text)
  tsb_expect("the ${kind} beside the zip" EQUAL "${text}" "${kind}\n")
endforeach()
file(REMOVE "${base}.cdx.json")
pack(good yes)
tsb_expect("a bill that was removed" EXISTS "${base}.cdx.json")
# They change with the zip, and go when the tree has none.
file(WRITE "${stage}/libtorch/sbom.spdx.json" "another\n")
file(REMOVE "${stage}/libtorch/sbom.cdx.json")
staged(libtorch-shared-with-deps "two and a bill")
pack(good yes)
file(READ "${base}.spdx.json" text)
tsb_expect("the new one" EQUAL "${text}" "another\n")
tsb_expect("the old one" ABSENT "${base}.cdx.json")

# torchpkg fails: its own words and ours, and the next run packs.
staged(libtorch-shared-with-deps "three")
file(WRITE "${TSB_TEST_DIR}/fail" "")
pack(bad yes)
tsb_expect("words" CONTAINS "${output}" "torchpkg: the disk is full")
tsb_expect("words" CONTAINS "${output}" "packing ${debug_zip} failed see the message above")
file(REMOVE "${TSB_TEST_DIR}/fail")
pack(good yes)

# Without debug information there is no debug zip, and an earlier one goes.
set(ENV{TSB_DEBUG_INFO} none)
configure(libtorch-shared-with-deps)
staged(libtorch-shared-with-deps "four")
pack(good yes)
tsb_expect("zip" EXISTS "${zip}")
tsb_expect("debug zip" ABSENT "${debug_zip}")
tsb_expect("its statement" ABSENT "${debug_zip}.intoto.json")
pack(good no)
unset(ENV{TSB_DEBUG_INFO})

# A dist that cannot be made (not even root makes a folder below a file).
file(WRITE "${TSB_TEST_DIR}/a file" "")
set(dist "${TSB_TEST_DIR}/a file/dist")
configure(libtorch-shared-with-deps)
pack(bad no)
tsb_expect("words" CONTAINS "${output}" "cannot make the folder ${dist}:")
tsb_expect("words" CONTAINS "${output}" "Not a directory set TSB_DIST to a folder that can be written")
