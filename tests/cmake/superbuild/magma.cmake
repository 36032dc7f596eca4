# SPDX-License-Identifier: BSD-3-Clause
# The package magma on a stand-in with the same project: what its CMake gets and what is installed.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
add_stand_in(magma 2.9.0)
declare_real(magma "5.0;8.6;9.0+PTX" magma)
configure()
make(good magma)
list(SORT ran) # the toolkit does not wait for the source
expect_ran("the package" cuda-toolkit-stage magma-build magma-configure magma-patch magma-stage magma-stage)
set(package "${build}/packages/magma")
tsb_expect_file(
  "what it got" CONTAINS "${package}/build/told.txt" "50-real;86-real;90-real;90-virtual|-Xfatbin -compress-all"
)
# As in upstream's git tree there was no such file, nor the list of sources.
tsb_expect_file(
  "a generated source has no time in it" CONTAINS "${package}/source/magmablas/dswap.cu"
  "@generated from magmablas/zswap.cu, \n"
)
foreach(file IN ITEMS lib/libmagma.a include/magma_v2.h include/magma_types.h include/magma_config.h)
  tsb_expect("installed" EXISTS "${package}/install/${file}")
endforeach()
tsb_expect("the licence" EXISTS "${package}/licenses/magma/COPYRIGHT")
tsb_expect_file(
  "the version" CONTAINS "${package}/log/stage-copy_library.log" "MAGMA 2.9.0: ${package}/install/lib/libmagma.a"
)
file(READ "${package}/install/share/torch-superbuild/linked.json" record)
string(JSON object GET "${record}" files magmablas/dswap.cu)
tsb_expect("the kernel in the record" EQUAL "${object}" CMakeFiles/magma.dir/magmablas/dswap.cu.o)

# The library says another version than the header.
file(READ "${box}/trees/magma/control/auxiliary.cpp" text)
string(REPLACE "*minor = MAGMA_VERSION_MINOR" "*minor = 8" other "${text}")
file(WRITE "${box}/trees/magma/control/auxiliary.cpp" "${other}")
add_source(magma 2.9.1)
configure()
make(bad magma)
tsb_expect(
  "output" CONTAINS "${output}"
  "include/magma_types.h is of MAGMA 2.9.0, but ${package}/install/lib/libmagma.a is 2.8.0"
  "remove packages/magma of the build folder"
)
