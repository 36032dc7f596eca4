# SPDX-License-Identifier: BSD-3-Clause
# No package fails for a warning, in whatever way it makes warnings errors; what it tests with -Werror keeps it. A
# pragma in a source is beyond any flag.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
set(build "${TSB_TEST_DIR}/build")

write_trees(w wm)
add_source(w 1.0)
add_source(wm 1.0)

# declare_both(<value of PRAGMA>)
function(declare_both pragma)
  declare(
    "tsb_declare_package(w DESCRIPTION \"W\" SOURCE w OPTIONS PRAGMA=${pragma} LICENSE_FILES LICENSE)
tsb_declare_package(m DESCRIPTION \"M\" SOURCE wm BUILD_SYSTEM make OPTIONS BUILDDIR=@BUILD_DIR@ STAGE_SCRIPTS \"${trees}/copy_build.cmake\" LICENSE_FILES LICENSE)"
    w
    m
  )
  configure()
endfunction()

declare_both(OFF)
make(good w)
file(STRINGS "${build}/packages/w/build/build.ninja" flags REGEX "^  FLAGS = ")
tsb_expect("other options" CONTAINS "${flags}" "-Wextra" "-pedantic")
file(STRINGS "${build}/packages/w/build/liboptions.a" strings REGEX "a  b")
tsb_expect("a definition with blanks" EQUAL "${strings}" "a  b")
make(good m)
file(STRINGS "${build}/packages/m/install/m.o" strings REGEX "a  b")
tsb_expect("a definition with blanks, make" EQUAL "${strings}" "a  b")

declare_both(ON)
make(bad w)
tsb_expect("output" CONTAINS "${output}" "[-Werror=unused-variable]")

# nvcc's lines: its own option, which takes a word more, and those that it hands to the host's compiler.
include("${TSB_SOURCE_DIR}/cmake/package/z_tsb_edit_ninja_file.cmake")
tsb_python_command(edit python3 runner.edit_ninja_file)
file(COPY "${trees}/w/build.ninja" DESTINATION "${box}/nvcc")
execute_process(COMMAND ${edit} "${box}/nvcc/build.ninja" w w.cmake "" "" COMMAND_ERROR_IS_FATAL ANY)
tsb_expect_file(
  "the lines"
  EQUAL
  "${box}/nvcc/build.ninja"
  [[
build x.o: CUDA_COMPILER__x_ x.cu
  FLAGS = -std=c++17 -Xcompiler=-Wall,-fPIC -O3
build y.o: CXX_COMPILER__y_ y.cpp
  FLAGS = all-warnings
build z.o: CUDA_COMPILER__z_ z.cu
  FLAGS = -Xcompiler=-Wno-error=foo -Xcompiler=-Wall -O2
  DEFINES = -DX -Werror
]]
)
