# SPDX-License-Identifier: BSD-3-Clause
# BUILD_SYSTEM make: a makefile gets compilers, options and targets, each of which is an input; what stays the same is
# not built again; what fails is named.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
set(build "${TSB_TEST_DIR}/build")
write_trees(m)
add_source(m 1.0)
file(WRITE "${box}/copy.cmake" [[file(COPY "${TSB_BUILD_DIR}/libm.a" DESTINATION "${TSB_INSTALL_DIR}/lib")]])
write_program("${box}/launcher" "echo through the launcher" [[exec "$@"]])
set(ENV{TEST_LAUNCHER} "${box}/launcher")

# declare_m(<text> <more arguments of the declaration>)
function(declare_m text)
  declare(
    "tsb_declare_package(m DESCRIPTION \"M\" SOURCE m BUILD_SYSTEM make OPTIONS \"TEXT=${text}\" BUILDDIR=@BUILD_DIR@
ENVIRONMENT \"WORD=a word\" TARGETS all.m STAGE_SCRIPTS \"${box}/copy.cmake\" LICENSE_FILES LICENSE ${ARGN})" m
  )
endfunction()
# expect_library(<what> <part>): the text in the library.
function(expect_library what part)
  file(STRINGS "${build}/packages/m/install/lib/libm.a" strings)
  tsb_expect("the library, ${what}" CONTAINS "${strings}" "${part}")
endfunction()
# debug_information(<out-var>): what readelf says about it.
function(debug_information out)
  execute_process(COMMAND readelf --debug-dump=info "${build}/packages/m/install/lib/libm.a" OUTPUT_VARIABLE text)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

declare_m("some text")
configure()
make(good m)
expect_ran("the first time" m-build m-stage)
expect_library("the first time" "some text")
# The framework's compile options: the mapped path, and line numbers only, though the makefile has -g.
expect_library("the file's name" "/usr/src/torch-superbuild/m/source/m.c")
debug_information(text)
tsb_expect("debug information" CONTAINS "${text}" "DW_AT_name")
tsb_expect("debug information" LACKS "${text}" "DW_TAG_base_type" "${build}/packages/m/source")
tsb_expect_file(
  "the log" CONTAINS "${build}/packages/m/log/build.log" "compiling, some text, a word" "through the launcher"
)
tsb_expect("what is beside the sources" ABSENT "${build}/packages/m/source/here")
explain("m: up to date")

# Another option, and no debug information: make would take the object for up to date.
declare_m("other text")
set(ENV{TSB_DEBUG_INFO} none)
configure()
explain("m: would run from phase configure on:" "options TEXT: was: some text options TEXT: now: other text")
make(good m)
expect_ran("another option" m-build m-stage)
expect_library("another option" "other text")
debug_information(text)
tsb_expect("no debug information" LACKS "${text}" "DW_AT_name")
unset(ENV{TSB_DEBUG_INFO})

# It fails.
file(APPEND "${box}/trees/m/m.c" "#error this cannot be\n")
add_source(m 1.1)
configure()
make(bad m)
tsb_expect("output" CONTAINS "${output}" "this cannot be" "error: package m: the build phase failed")

# A blank in the folder's name.
set(build "${box}/build")
configure()
make(bad m)
tsb_expect(
  "output" CONTAINS "${output}" "package m is built with make, which cannot work in a folder with a blank in its name:"
  "choose another build folder"
)

# No make.
set(build "${TSB_TEST_DIR}/build")
file(READ "${build}/settings.json" settings)
string(JSON settings SET "${settings}" path "\"${TSB_TEST_DIR}/nowhere\"")
file(WRITE "${build}/settings.json" "${settings}")
make(bad m)
tsb_expect(
  "output" CONTAINS "${output}"
  "package m is built with make, which is not installed (looked for in ${TSB_TEST_DIR}/nowhere)" "install make"
)
