# SPDX-License-Identifier: BSD-3-Clause
# cpack packs what is staged, once: a zip that is up to date is left alone, one that is gone is packed again.
include("${CMAKE_CURRENT_LIST_DIR}/superbuild.cmake")
set(stage "${build}/stage/libtorch-shared-with-deps")
set(packed "${build}/packed/libtorch-shared-with-deps")
set(debug_zip "${packed}/debug-libtorch-cxx11-abi-shared-with-deps-2.6.0+cpu.zip")
set(zip "${packed}/libtorch-cxx11-abi-shared-with-deps-2.6.0+cpu.zip")
configure(libtorch-shared-with-deps)
tsb_expect("configure (${output})" EQUAL ${code} 0)
stand_in_torchpkg()
run(bad "${CMAKE_COMMAND}" --install "${build}")
tsb_expect("installing" CONTAINS "${output}" "nothing is installed from a build folder unpack, or install with pip or")

foreach(words IN ITEMS "CPackConfig.cmake;-G;ZIP" CPackSourceConfig.cmake)
  list(POP_FRONT words config)
  run(bad "${CMAKE_CPACK_COMMAND}" --config "${build}/${config}" ${words})
  tsb_expect("another generator" CONTAINS "${output}" "packs nothing here run cpack without -G")
endforeach()

pack(bad no)
tsb_expect(
  "not staged" CONTAINS "${output}" "libtorch-shared-with-deps is not staged build first: cmake --build \"${build}\""
)

file(WRITE "${stage}/libtorch/build-version" "2.6.0+cpu\n")
file(WRITE "${stage}/debug/libtorch/lib/.debug/libc10.so.debug" "lines\n")
staged(libtorch-shared-with-deps "one")
pack(good yes)
tsb_expect(
  "words" CONTAINS "${output}" "packed in ${build}/packed; into dist: cmake --build \"${build}\" --target check"
)
file(READ "${TSB_TEST_DIR}/ran" ran)
string(REGEX MATCHALL "pack --root [^\n]+ --output [^\n]+\n" commands "${ran}")
list(LENGTH commands count)
tsb_expect("commands" EQUAL ${count} 2)
tsb_expect_file("zip" EQUAL "${zip}" "build-version\nmanifest.json\n")
tsb_expect_file("debug zip" EQUAL "${debug_zip}" "lib\n")
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

# A signature comes and goes, without packing. (packaging.statements: signers that fail.)
set(ENV{TSB_SIGN} "sign() { echo signature >\"$1.sig\"; }; sign")
pack(good no)
tsb_expect("a signature" EXISTS "${zip}.intoto.json.sig")
unset(ENV{TSB_SIGN})
pack(good no)
tsb_expect("a signature that is not made any more" ABSENT "${zip}.intoto.json.sig")

foreach(removed IN LISTS zip debug_zip)
  file(REMOVE "${removed}")
  pack(good yes)
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
  tsb_expect_file("the ${kind} beside the zip" EQUAL "${base}.${kind}.json" "${kind}\n")
endforeach()
file(REMOVE "${base}.cdx.json")
pack(good yes)
tsb_expect("a bill that was removed" EXISTS "${base}.cdx.json")
# They change with the zip, and go when the tree has none.
file(WRITE "${stage}/libtorch/sbom.spdx.json" "another\n")
file(REMOVE "${stage}/libtorch/sbom.cdx.json")
staged(libtorch-shared-with-deps "two and a bill")
pack(good yes)
tsb_expect_file("the new one" EQUAL "${base}.spdx.json" "another\n")
tsb_expect("the old one" ABSENT "${base}.cdx.json")

# torchpkg fails: its own words and ours, and the next run packs.
staged(libtorch-shared-with-deps "three")
file(WRITE "${TSB_TEST_DIR}/fail" "")
pack(bad no)
tsb_expect("words" CONTAINS "${output}" "torchpkg: the disk is full")
tsb_expect("words" CONTAINS "${output}" "packing ${debug_zip} failed see the message above")
file(REMOVE "${TSB_TEST_DIR}/fail")
pack(good yes)

# Without debug information there is no debug zip.
set(ENV{TSB_DEBUG_INFO} none)
configure(libtorch-shared-with-deps)
staged(libtorch-shared-with-deps "four")
pack(good yes)
tsb_expect("zip" EXISTS "${zip}")
tsb_expect("debug zip" ABSENT "${debug_zip}")
tsb_expect("its statement" ABSENT "${debug_zip}.intoto.json")
pack(good no)
unset(ENV{TSB_DEBUG_INFO})
