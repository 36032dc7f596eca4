# SPDX-License-Identifier: BSD-3-Clause
# TSB_LOCAL_<source>: a folder of the user's counts with its content, and is looked at in every run.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
add_source(a 1.0)
declare("${declaration_of_a} OPTIONS TEXT=x)" a)
set(ENV{TSB_LOCAL_a} "${box}/trees/a")
configure()
make(good a)
expect_ran("the first time" a-configure a-build a-stage)
make(good a)
expect_ran("nothing changed")
execute_process(COMMAND touch "${box}/trees/a/more.c" COMMAND_ERROR_IS_FATAL ANY)
make(good a)
expect_ran("a file touched")
file(READ "${build}/packages/a/sources.json" sources)
string(JSON tree_sha256 GET "${sources}" a tree_sha256)
file(READ "${build}/packages/a/manifest.json" manifest)
string(JSON told GET "${manifest}" sources 0 tree_sha256)
tsb_expect("the manifest's hash" EQUAL "${told}" "${tree_sha256}")
file(APPEND "${box}/trees/a/more.c" "int a_even_more(void) { return 2; }\n")
make(good a)
expect_ran("a file changed" a-configure a-build a-stage)
execute_process(COMMAND nm "${build}/packages/a/install/lib/liba.a" OUTPUT_VARIABLE symbols)
tsb_expect("the library" CONTAINS "${symbols}" "T a_even_more")

# A mistyped name would be ignored in silence.
set(ENV{TSB_LOCAL_aa} "${box}/trees/a")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${box}/project" -B "${build}" -G Ninja
  RESULT_VARIABLE code
  OUTPUT_VARIABLE text
  ERROR_VARIABLE text
)
unset(ENV{TSB_LOCAL_aa})
tsb_expect("end of configuring" EQUAL "${code}" 1)
tsb_expect("what is said" CONTAINS "${text}" "TSB_LOCAL_aa is set, but the pins have no source of that name")
tsb_expect("what is said" CONTAINS "${text}" "correct it, or unset it; there are: a")

# The manifest knows such a hash of nothing else.
unset(ENV{TSB_LOCAL_a})
configure()
make(good a)
file(READ "${build}/packages/a/manifest.json" manifest)
tsb_expect("the manifest of a pinned source" LACKS "${manifest}" tree_sha256)
