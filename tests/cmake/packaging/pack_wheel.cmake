# SPDX-License-Identifier: BSD-3-Clause
# cpack packs a staged wheel, whose name torchpkg says; one that had another tag goes away.
include("${CMAKE_CURRENT_LIST_DIR}/superbuild.cmake")
set(dist "${TSB_TEST_DIR}/a dist")
set(stage "${build}/stage/wheel-py311")
set(python "${TSB_TEST_DIR}/python")
file(WRITE "${python}" "#!/bin/sh\necho 'CPython|3.11|3.11.7||headers|cpython-311|${python}'\n")
file(CHMOD "${python}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(ENV{TSB_PYTHON_311} "${python}")
configure(wheel-py311)
tsb_expect("configure (${output})" EQUAL ${code} 0)
# Stands in for `torchpkg pack zip` and `torchpkg pack wheel`.
file(
  WRITE "${build}/packaging/torchpkg/torchpkg"
  "#!/bin/sh
[ -e '${TSB_TEST_DIR}/fail' ] && { echo 'torchpkg: the disk is full' >&2; exit 4; }
if [ \"$2\" = zip ]; then echo zip >\"$6\"; exit; fi
echo \"$*\" >'${TSB_TEST_DIR}/ran'
file=\"$6/torch-2.6.0+cpu-cp311-cp311-$(cat '${TSB_TEST_DIR}/tag').whl\"
echo wheel >\"$file\"
echo \"packed it\"
echo \"$file\"\n"
)
file(CHMOD "${build}/packaging/torchpkg/torchpkg" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

file(WRITE "${TSB_TEST_DIR}/tag" linux_x86_64)
file(MAKE_DIRECTORY "${stage}/site-packages/torch" "${stage}/debug/torch")
staged(wheel-py311 "one")
pack(good yes)
tsb_expect("what torchpkg says" CONTAINS "${output}" "packed it")
file(READ "${TSB_TEST_DIR}/ran" ran)
tsb_expect("options" CONTAINS "${ran}" "--python cp311 --abi cp311")
foreach(file IN ITEMS torch-2.6.0+cpu-cp311-cp311-linux_x86_64.whl debug-torch-2.6.0+cpu-cp311-cp311.zip)
  tsb_expect("the files" EXISTS "${dist}/${file}")
endforeach()
pack(good no)

# Another torchpkg, which may write another wheel.
file(APPEND "${build}/packaging/torchpkg/torchpkg" "# another one\n")
pack(good yes)
pack(good no)

file(WRITE "${TSB_TEST_DIR}/tag" manylinux_2_35_x86_64)
staged(wheel-py311 "two")
pack(good yes)
set(debug debug-torch-2.6.0+cpu-cp311-cp311.zip)
set(wheel torch-2.6.0+cpu-cp311-cp311-manylinux_2_35_x86_64.whl)
file(GLOB files RELATIVE "${dist}" "${dist}/*")
tsb_expect("the files" EQUAL "${files}" "${debug};${debug}.intoto.json;${wheel};${wheel}.intoto.json")
file(REMOVE "${dist}/${wheel}")
pack(good yes)

file(WRITE "${TSB_TEST_DIR}/fail" "")
staged(wheel-py311 "three")
pack(bad no)
tsb_expect("the reason" CONTAINS "${output}" "torchpkg: the disk is full")
