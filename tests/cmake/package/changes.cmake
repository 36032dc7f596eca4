# SPDX-License-Identifier: BSD-3-Clause
# After a change explain names the input with its old and its new value, and just the phases that depend on it run
# again. On a copy of the framework. (fingerprint.cmake has every kind of input.)
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
file(
  COPY "${TSB_SOURCE_DIR}/packaging" "${TSB_SOURCE_DIR}/cmake" "${TSB_SOURCE_DIR}/engine" DESTINATION "${box}/tree"
  PATTERN torchpkg EXCLUDE
)
set(TSB_SOURCE_DIR "${box}/tree")
write_trees()
# Notes every file that is compiled. As a compiler cache it changes no result.
write_program(
  "${box}/launcher" "for word; do case $word in *.c) echo \"\${word##*/}\" >>\"${box}/compiled\" ;; esac; done"
  [[exec "$@"]]
)
set(ENV{TEST_LAUNCHER} "${box}/launcher")
set(patch_of_a "\"patches\": [{\"file\": \"a.patch\", \"source\": \"us\", \"upstream\": null, \"reason\": \"r\"}],")
file(WRITE "${patches}/a.patch" "--- a/LICENSE\n+++ b/LICENSE\n@@ -1 +1 @@\n-licence of a\n+its licence\n")
file(WRITE "${box}/data/one.txt" "one\n")
file(WRITE "${box}/stage.cmake" "file(COPY \"${box}/data\" DESTINATION \"\${TSB_INSTALL_DIR}\")\n")
add_source(a 1.0 "${patch_of_a}")
add_source(b 1.0)

# options(<OPTIONS of a>...): both packages with them.
function(options)
  list(JOIN ARGN " " options)
  set(scripts "STAGE_SCRIPTS \"${box}/stage.cmake\" STAGE_INPUTS \"${box}/data\"")
  declare("${declaration_of_a} OPTIONS ${options} ${scripts})\n${declaration_of_b}" b)
  configure()
endfunction()

# changed(<what> [EXPLAINED <part of what explain says>...] [RAN <phase>...] [COMPILED <file>...] [SAYS <text of b>])
function(changed what)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SAYS" "EXPLAINED;RAN;COMPILED")
  if(arg_EXPLAINED)
    explain(${arg_EXPLAINED})
  endif()
  make(good b)
  expect_ran("${what}" ${arg_RAN})
  set(compiled "")
  if(EXISTS "${box}/compiled")
    file(STRINGS "${box}/compiled" compiled REGEX "^(a|b|more)\\.c$")
    list(SORT compiled)
    file(REMOVE "${box}/compiled")
  endif()
  tsb_expect("compiled: ${what}" EQUAL "${compiled}" "${arg_COMPILED}")
  if(DEFINED arg_SAYS)
    expect_program(
      "${what}" "${arg_SAYS} /usr/src/torch-superbuild/a/source/a.c /usr/src/torch-superbuild/b/source/b.c"
    )
  endif()
endfunction()
set(b b-configure b-build b-stage)
set(all a-configure a-build a-stage a-stage ${b}) # stage runs two commands

options(TEXT=first EXTRA=old)
changed(
  "the first time"
  RAN ${all}
  COMPILED a.c b.c more.c
  SAYS "first 1"
)

# Not patch; objects that the option does not touch stay; b.c since a's header was installed again.
options("\"TEXT=the second\"" MORE=1)
file(WRITE "${build}/packages/a/source/untouched" "")
changed(
  "an option"
  EXPLAINED
    "a: would run from phase configure on:" "options TEXT: was: first options TEXT: now: the second"
    "options EXTRA: gone; was: old" "options MORE: new: 1" "b: would run from phase configure on: dependency a: was:"
  RAN ${all}
  COMPILED a.c b.c
  SAYS "the second 1"
)
tsb_expect("the tree" EXISTS "${build}/packages/a/source/untouched")
tsb_expect_file("an option that is gone" EQUAL "${build}/packages/a/build/configured.txt" "[the second][][]")
file(WRITE "${box}/data/two.txt" "two\n")
changed(
  "a folder"
  EXPLAINED "a: would run from phase stage on: stage input data/two.txt: new:" "dependency a: was:"
  RAN a-stage a-stage ${b}
  COMPILED b.c
)
set(script cmake/package/phases/build/build.cmake)
file(APPEND "${TSB_SOURCE_DIR}/${script}" "# a change\n")
changed(
  "a script of a phase"
  EXPLAINED "a: would run from phase build on: script of build ${script}: was:" "script of build ${script}: now:"
  RAN a-build a-stage a-stage ${b}
  COMPILED b.c
)

# What decides nothing, or every change of it would compile all again: the runner, comments and layout where values
# stand, the launcher, the number of jobs.
file(APPEND "${TSB_SOURCE_DIR}/engine/runner/phase.py" "# another one\n")
file(APPEND "${TSB_SOURCE_DIR}/cmake/package/run_phases.cmake" "# another one\n")
set(values "${TSB_SOURCE_DIR}/cmake/package/z_tsb_framework.cmake")
file(READ "${values}" text)
string(REPLACE "set(\n  TSB_FRAMEWORK_OPTIONS" "# another one\nset( TSB_FRAMEWORK_OPTIONS" other "${text}")
tsb_expect("the values" CONTAINS "${other}" "# another one")
file(WRITE "${values}" "${other}")
set(ENV{TEST_LAUNCHER} "")
set(ENV{TSB_JOBS} 1)
configure()
changed("what decides nothing" EXPLAINED "a: up to date" "b: up to date")
set(ENV{TEST_LAUNCHER} "${box}/launcher")
configure()

# A patch. A source: the change is named before and after it is fetched.
file(WRITE "${patches}/a.patch" "--- a/LICENSE\n+++ b/LICENSE\n@@ -1 +1 @@\n-licence of a\n+a's licence\n")
explain("a: would run from phase patch on: patch a.patch: was:" "patch a.patch: now:")
file(WRITE "${box}/trees/a/more.c" "int a_more(void) { return 2; }\n")
add_source(a 2.0 "${patch_of_a}")
explain("sources: would run fetch, after which explain knows the rest: pinned sources: was:")
make(good fetch)
changed(
  "a source and its patch"
  EXPLAINED "a: would run from phase patch on:" "source a version: was: 1.0" "source a version: now: 2.0"
  RAN ${all}
  COMPILED a.c b.c more.c
)

add_source(a 3.0 "${patch_of_a}")
configure()
explain("a: unknown until fetch has run" "b: up to date")
add_source(a 2.0 "${patch_of_a}")
configure()
explain("a: up to date")

# Another compiler: nothing that the old one made stays.
set(ENV{TEST_COMPILER_VERSION} .1)
configure()
changed(
  "a compiler"
  EXPLAINED "toolchain C_COMPILER_VERSION: was: 1.0 toolchain C_COMPILER_VERSION: now: 1.0.1"
  RAN ${all}
  COMPILED a.c b.c more.c
)
recorded_inputs(inputs a stage)
tsb_expect("folders of this machine among the inputs" LACKS "${inputs}" "${TSB_TEST_DIR}")

# A folder of the user's counts with its content, and is looked at in every run.
set(ENV{TSB_LOCAL_a} "${box}/trees/a")
options(TEXT=@COMMIT@)
changed("a folder of the user's" RAN ${all} COMPILED a.c b.c more.c)
# Without git its content stands for the commit, for the package's build and in the manifest.
file(READ "${build}/packages/a/sources.json" sources)
string(JSON tree GET "${sources}" a tree_sha256)
file(READ "${build}/packages/a/manifest.json" manifest)
string(JSON commit GET "${manifest}" commit)
tsb_expect("the commit in the manifest" EQUAL "${commit}" "tree-${tree}")
file(STRINGS "${build}/packages/a/build/CMakeCache.txt" text REGEX "^TEXT:")
tsb_expect("the commit that the build got" CONTAINS "${text}" "=tree-${tree}")
changed("the same folder")
file(APPEND "${box}/trees/a/more.c" "int a_even_more(void) { return 2; }\n")
changed("a file of the folder" RAN ${all} COMPILED a.c b.c more.c)

# A build folder that was moved. CMake refuses it by its own cache, without which it is configured anew.
set(moved "${box}/moved folder")
file(RENAME "${build}" "${moved}")
file(REMOVE "${moved}/CMakeCache.txt")
set(build "${moved}")
configure()
make(good b)
tsb_expect("in a folder that was moved" LACKS "${output}" "CMake Error")
