# SPDX-License-Identifier: BSD-3-Clause
# One input of each kind is changed: explain names it with its old and its new value, and just the phases that depend on
# it run again. So it is with an output that somebody has removed.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
foreach(folder IN ITEMS cmake packaging)
  file(COPY "${TSB_SOURCE_DIR}/${folder}" DESTINATION "${box}/tree" PATTERN torchpkg EXCLUDE)
endforeach()
set(TSB_SOURCE_DIR "${box}/tree")
write_trees()
set(patch_of_a "\"patches\": [{\"file\": \"a.patch\", \"source\": \"us\", \"upstream\": null, \"reason\": \"r\"}],")
file(WRITE "${patches}/a.patch" "--- a/LICENSE\n+++ b/LICENSE\n@@ -1 +1 @@\n-licence of a\n+its licence\n")
file(WRITE "${box}/data/one.txt" "one\n")
file(WRITE "${box}/stage.cmake" "file(COPY \"${box}/data\" DESTINATION \"\${TSB_INSTALL_DIR}\")\n")
add_source(a 1.0 "${patch_of_a}")
add_source(b 1.0)
function(declare_all text)
  declare(
    "${declaration_of_a} OPTIONS TEXT=${text} STAGE_SCRIPTS \"${box}/stage.cmake\" STAGE_INPUTS \"${box}/data\")
${declaration_of_b}" b
  )
  configure()
endfunction()

# changed(<what> <what explain says about it>... RAN <phase>...)
function(changed what)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "RAN")
  explain(${arg_UNPARSED_ARGUMENTS})
  make(good b)
  expect_ran("${what}" ${arg_RAN})
  explain("a: up to date" "b: up to date")
  make(good b)
  expect_ran("${what}, again")
endfunction()

declare_all(first)
make(good b)
set(b b-configure b-build b-stage)
set(all a-configure a-build a-stage a-stage ${b}) # stage runs two commands

declare_all(second)
changed("a value" "options TEXT: was: first options TEXT: now: second" RAN ${all})
file(WRITE "${patches}/a.patch" "--- a/LICENSE\n+++ b/LICENSE\n@@ -1 +1 @@\n-licence of a\n+a's licence\n")
changed("a file" "a: would run from phase patch on: patch a.patch: was:" "patch a.patch: now:" RAN ${all})
file(WRITE "${box}/data/two.txt" "two\n")
changed(
  "a folder" "a: would run from phase stage on: stage input data/two.txt: new:" "dependency a: was:" RAN a-stage
  a-stage ${b}
)
set(script cmake/package/phases/build/build.cmake)
file(APPEND "${TSB_SOURCE_DIR}/${script}" "# a change\n")
changed(
  "a script of a phase" "a: would run from phase build on: script of build ${script}: was:"
  "script of build ${script}: now:" RAN a-build a-stage a-stage ${b}
)
set(ENV{TSB_DEBUG_INFO} full)
configure()
changed("the environment" "debug_info: was: lines debug_info: now: full" RAN ${all})

# The runner decides nothing, or every change of it would compile all again.
file(APPEND "${TSB_SOURCE_DIR}/cmake/package/runner/phase.py" "# another one\n")
changed("the runner" RAN)

# What is gone comes back, out of the store or by the phases that make it.
set(install "${build}/packages/a/install")
file(REMOVE_RECURSE "${install}")
explain("a: would be taken from the store (" "): ${install} does not exist" "b: up to date")
make(good b)
tsb_expect("output" CONTAINS "${output}" "a: ${install} does not exist" "a: taken from the store")
expect_ran("a lost install tree")
file(REMOVE_RECURSE "${install}" "${box}/store")
changed(
  "a lost install tree, without the store" "a: would run from phase stage on: ${install} does not exist" RAN a-stage
  a-stage
)
file(REMOVE_RECURSE "${build}/packages/a" "${box}/store")
configure()
explain("a: unknown, its sources have not been fetched: run the target fetch")
make(good b)
expect_ran("a package that was removed" a-configure a-build a-stage a-stage)
