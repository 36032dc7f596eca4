# SPDX-License-Identifier: BSD-3-Clause
# The package magma on a stand-in with the same project: what its CMake gets, what is installed, and how the feature
# of PyTorch that needs it goes off.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
add_stand_in(magma 2.9.0)
declare_real(magma "5.0;8.6;9.0+PTX" magma)
configure()
make(good magma)
expect_ran("the package" cuda-toolkit-stage magma-configure magma-build magma-stage magma-stage)
set(package "${build}/packages/magma")
tsb_expect_file(
  "what it got" CONTAINS "${package}/build/told.txt"
  "sm_50 sm_86 sm_90|50-real;86-real;90-real;90-virtual|500|-Xfatbin -compress-all"
)
foreach(file IN ITEMS lib/libmagma.a include/magma_v2.h include/magma_types.h include/magma_config.h)
  tsb_expect("installed" EXISTS "${package}/install/${file}")
endforeach()
tsb_expect("the licence" EXISTS "${package}/licenses/magma/COPYRIGHT")
file(READ "${package}/log/stage-copy_library.log" log)
tsb_expect("the version" CONTAINS "${log}" "MAGMA 2.9.0: ${package}/install/lib/libmagma.a")
file(READ "${package}/install/share/torch-superbuild/linked.json" record)
string(JSON object GET "${record}" files magmablas/dswap.cu)
tsb_expect("the kernel in the record" EQUAL "${object}" CMakeFiles/magma.dir/magmablas/dswap.cu.o)

# It goes into a shared library.
find_program(cc cc REQUIRED)
file(WRITE "${TSB_TEST_DIR}/linalg.c" "#include <magma_v2.h>\nvoid linalg(double* x) { magmablas_dswap(1, x, x); }\n")
execute_process(
  COMMAND "${cc}" -shared -fPIC "-I${package}/install/include" "${TSB_TEST_DIR}/linalg.c"
          "${package}/install/lib/libmagma.a" -o "${TSB_TEST_DIR}/liblinalg.so" COMMAND_ERROR_IS_FATAL ANY
)

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

# When nobody has the source, what needs it is built without it.
write_trees()
add_source(a 1.0)
add_missing_source(magma)
file(REMOVE_RECURSE "${box}/sources/magma" "${box}/mirror/magma")
declare_real(
  magma 9.0 a MORE "${declaration_of_a} DEPENDS magma)
tsb_declare_feature(a MAGMA OPTION USE_MAGMA PACKAGES magma WITHOUT \"linalg uses cuSOLVER alone\")"
)
set(build "${TSB_TEST_DIR}/build-without")
configure()
make(good a)
tsb_expect(
  "output" CONTAINS "${output}"
  "a: feature MAGMA is off: linalg uses cuSOLVER alone: no provider has the sources of magma"
)
file(READ "${build}/packages/a/manifest.json" manifest)
string(JSON reason GET "${manifest}" features MAGMA reason)
tsb_expect("the manifest" EQUAL "${reason}" "linalg uses cuSOLVER alone: no provider has the sources of magma")

# PyTorch decides whether it is wanted.
architectures(9.0)
set(ENV{TSB_MAGMA} OFF)
expect_packages("not wanted" magma "${architectures}\nset(TSB_PINS_FILE \"$ENV{TSB_PINS_FILE}\")" magma)
