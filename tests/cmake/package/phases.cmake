# SPDX-License-Identifier: BSD-3-Clause
# Targets of phases, each alone; the order; nothing runs when all is up to date.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
add_source(a 1.0)
add_source(b 1.0)
add_missing_source(unused)
declare("${declaration_of_b}\n${declaration_of_a} OPTIONS TEXT=first)" b)
configure()

explain(
  "sources: would run fetch, after which explain knows the rest: it has not finished yet"
  "a: unknown, its sources have not been fetched: run the target fetch"
)

# The sources alone, of all packages; then one package up to one phase.
make(good fetch)
expect_ran("fetch")
foreach(package IN ITEMS a b)
  tsb_expect("sources of ${package}" EXISTS "${build}/packages/${package}/sources.json")
  tsb_expect("tree of ${package}" ABSENT "${build}/packages/${package}/source")
endforeach()
explain("a: would run from phase patch on: it has not finished yet")

make(good b-patch)
expect_ran("b-patch")
tsb_expect("tree of b" EXISTS "${build}/packages/b/source/b.c")
tsb_expect("tree of a" ABSENT "${build}/packages/a/source")
make(good a-configure)
expect_ran("a-configure" a-configure)
explain("a: would run from phase build on: it has not finished yet" "b: would run from phase configure on")
make(good a-build)
expect_ran("a-build" a-build)
tsb_expect("library of a" EXISTS "${build}/packages/a/build/liba.a")
tsb_expect("staged a" ABSENT "${build}/packages/a/install")
make(good a-stage)
expect_ran("a-stage" a-stage)
tsb_expect("staged a" EXISTS "${build}/packages/a/install/lib/liba.a")
tsb_expect("licence of a" EXISTS "${build}/packages/a/licenses/a/LICENSE")

make(good configure)
expect_ran("configure" b-configure)
make(good build)
expect_ran("build" b-build)
make(good stage)
expect_ran("stage" b-stage)
expect_program(
  "after all phases" "first 1 /usr/src/torch-superbuild/a/source/a.c /usr/src/torch-superbuild/b/source/b.c"
)

foreach(target IN ITEMS b a stage)
  make(good ${target})
  expect_ran("${target}, up to date")
endforeach()
explain("a: up to date" "b: up to date")

# Without ninja's memory the scripts find out by themselves.
file(REMOVE "${build}/.ninja_log")
make(good b)
expect_ran("b, without it")

# A package's folder may go, with what configure has written: the same command writes it again, and the store has the
# rest.
file(REMOVE_RECURSE "${build}/packages/a")
make(good b)
expect_ran("without the folder of a")
tsb_expect("library of a" EXISTS "${build}/packages/a/install/lib/liba.a")
make(good b)
tsb_expect("the next time" LACKS "${output}" "Re-running CMake")

# A name that no setting has is also noticed where the build alone has it.
set(ENV{TSB_JOB} 3)
make(bad b)
tsb_expect(
  "a wrong name" CONTAINS "${output}"
  "error: TSB_JOB, of the command or the environment: there is no such setting. Did you mean"
)
unset(ENV{TSB_JOB})

set(ENV{TSB_LOCAL_unused} "${box}/trees/a")
tsb_run(code text "${CMAKE_COMMAND}" -S "${box}/project" -B "${build}")
tsb_expect(
  "a folder" CONTAINS "${text}" "TSB_LOCAL_unused has no effect: no package of this build has the source unused"
)
