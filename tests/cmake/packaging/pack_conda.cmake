# SPDX-License-Identifier: BSD-3-Clause
# cpack packs a staged conda package, whose name torchpkg says; one that had another build string goes away.
include("${CMAKE_CURRENT_LIST_DIR}/superbuild.cmake")
set(dist "${TSB_TEST_DIR}/a dist")
set(stage "${build}/stage/conda-libtorch")
configure(conda-libtorch)
tsb_expect("configure (${output})" EQUAL ${code} 0)
# Stands in for `torchpkg pack zip` and `torchpkg pack conda`.
file(
  WRITE "${build}/packaging/torchpkg/torchpkg"
  "#!/bin/sh
[ -e '${TSB_TEST_DIR}/fail' ] && { echo 'torchpkg: the disk is full' >&2; exit 4; }
if [ \"$2\" = zip ]; then echo zip >\"$6\"; exit; fi
echo \"$*\" >'${TSB_TEST_DIR}/ran'
file=\"$6/linux-64/libtorch-2.6.0-cpu_mkl_$(cat '${TSB_TEST_DIR}/hash')_0.conda\"
mkdir -p \"$6/linux-64\" && echo conda >\"$file\"
echo \"packed it\"
echo \"$file\"\n"
)
file(CHMOD "${build}/packaging/torchpkg/torchpkg" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

file(WRITE "${TSB_TEST_DIR}/hash" h0000000)
file(MAKE_DIRECTORY "${stage}/prefix/info" "${stage}/debug/libtorch")
staged(conda-libtorch "one")
pack(good yes)
tsb_expect("what torchpkg says" CONTAINS "${output}" "packed it")
file(READ "${TSB_TEST_DIR}/ran" ran)
tsb_expect("options" LACKS "${ran}" "--placeholder")
foreach(file IN ITEMS linux-64/libtorch-2.6.0-cpu_mkl_h0000000_0.conda debug-libtorch-2.6.0+cpu-conda.zip)
  tsb_expect("the files" EXISTS "${dist}/${file}")
endforeach()
pack(good no)

file(WRITE "${TSB_TEST_DIR}/hash" h1111111)
staged(conda-libtorch "two")
file(WRITE "${stage}/placeholder.txt" "/placehold")
pack(good yes)
file(READ "${TSB_TEST_DIR}/ran" ran)
tsb_expect("options" CONTAINS "${ran}" "--placeholder /placehold")
file(GLOB files RELATIVE "${dist}" "${dist}/linux-64/*")
set(conda linux-64/libtorch-2.6.0-cpu_mkl_h1111111_0.conda)
tsb_expect("the files" EQUAL "${files}" "${conda};${conda}.intoto.json")

# What lies in an earlier dist stays, whether the new one is above it or below.
set(expected "")
foreach(folder IN ITEMS all/2026-11 all all/linux-64 all/linux-64/x)
  set(dist "${TSB_TEST_DIR}/${folder}")
  configure(conda-libtorch)
  pack(good yes)
  foreach(file IN ITEMS "${conda}" "${conda}.intoto.json" debug-libtorch-2.6.0+cpu-conda.zip)
    list(APPEND expected "${dist}/${file}")
  endforeach()
  foreach(file IN LISTS expected)
    tsb_expect("what an earlier dist has" EXISTS "${file}")
  endforeach()
endforeach()

file(WRITE "${TSB_TEST_DIR}/fail" "")
staged(conda-libtorch "three")
pack(bad no)
tsb_expect("the reason" CONTAINS "${output}" "torchpkg: the disk is full")
