# SPDX-License-Identifier: BSD-3-Clause
# dist/ is the user's: another version stays, a file of the same name is replaced by one that has passed its checks, and
# one that was deleted comes back. Nothing is compiled.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
set(tree "${WORK}/dist of two")
copy_tree("${tree}")
file(REMOVE_RECURSE "${WORK}/store of dist of two")
file(CREATE_LINK "store of a folder" "${WORK}/store of dist of two" SYMBOLIC)
set(base "libtorch-cxx11-abi-shared-with-deps-${pytorch}+cpu")
set(packed "${tree}/build/${preset}/packed/libtorch-shared-with-deps")

# expect_dist("<what>" <zip without .zip>...): nothing but what belongs to these lies there.
function(expect_dist what)
  set(expected "")
  foreach(zip IN LISTS ARGN)
    list(APPEND expected debug-${zip}.zip debug-${zip}.zip.intoto.json ${zip}.cdx.json ${zip}.spdx.json ${zip}.zip)
    list(APPEND expected ${zip}.zip.intoto.json)
  endforeach()
  list(SORT expected)
  file(GLOB found RELATIVE "${tree}/dist" "${tree}/dist/*" "${tree}/dist/.*")
  list(REMOVE_ITEM found . ..)
  list(SORT found)
  tsb_expect("${what}: dist" EQUAL "${found}" "${expected}")
endfunction()

workflow("${tree}")
good("the first version")
expect_dist("the first version" ${base})
set(suffix TSB_VERSION_SUFFIX=mine)
workflow("${tree}" ENVIRONMENT ${suffix})
good("the second version")
set(mine "${tree}/dist/${base}.mine.zip")
tsb_expect("the second version" CONTAINS "${output}" "${mine} has passed all checks\n")
expect_dist("the second version" ${base} ${base}.mine)
same_zip("the first version stays" "${tree}/dist")
file(SHA256 "${mine}" before)

# One of the same name that does not pass, and then does.
file(WRITE "${TSB_TEST_DIR}/broken/CMakeLists.txt" "message(FATAL_ERROR broken)\n")
set(epoch SOURCE_DATE_EPOCH=1600000000)
workflow("${tree}" ENVIRONMENT ${suffix} ${epoch} "TSB_CONSUMER_DIR=${TSB_TEST_DIR}/broken")
bad("one that does not pass" "a consumer of ${packed}/${base}.mine.zip does not work" "${tree}/dist is as it was")
file(SHA256 "${mine}" hash)
tsb_expect("the one that has passed" EQUAL "${hash}" "${before}")
tsb_expect("the one that has not" EXISTS "${packed}/${base}.mine.zip")
workflow("${tree}" ENVIRONMENT ${suffix} ${epoch})
good("one that passes")
tsb_expect(
  "one that passes" CONTAINS "${output}"
  "${mine} has passed all checks, and replaces one that differs in SOURCE_DATE_EPOCH\n"
)
file(SHA256 "${mine}" hash)
if(hash STREQUAL before)
  message(FATAL_ERROR "${mine} is still the one before")
endif()
expect_dist("replaced" ${base} ${base}.mine)

# What was deleted comes back, also elsewhere, and nothing is packed or checked again for it.
foreach(dist IN ITEMS "${tree}/dist" "${TSB_TEST_DIR}/dist")
  file(REMOVE_RECURSE "${dist}")
  workflow("${tree}" ENVIRONMENT ${suffix} ${epoch} "TSB_DIST=${dist}")
  good("${dist}")
  file(SHA256 "${dist}/${base}.mine.zip" again)
  tsb_expect("what comes back" EQUAL "${again}" "${hash}")
  tsb_expect("what ran" LACKS "${output}" "deps pack\n" "deps statement\n" "deps check\n" "deps consumer\n")
endforeach()
