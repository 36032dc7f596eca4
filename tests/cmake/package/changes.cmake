# SPDX-License-Identifier: BSD-3-Clause
# What runs again after a change, and what explain says about it: old and new value.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
set(places "/usr/src/torch-superbuild/a/source/a.c /usr/src/torch-superbuild/b/source/b.c")
# Notes every file that is compiled. As a compiler cache it changes no result.
write_program(
  "${box}/launcher" "for word; do case $word in *.c) echo \"\${word##*/}\" >>\"${box}/compiled\" ;; esac; done"
  [[exec "$@"]]
)
set(ENV{TEST_LAUNCHER} "${box}/launcher")
function(expect_compiled what)
  set(compiled "")
  if(EXISTS "${box}/compiled")
    file(STRINGS "${box}/compiled" compiled REGEX "^(a|b|more)\\.c$")
    list(SORT compiled)
  endif()
  file(REMOVE "${box}/compiled")
  tsb_expect("compiled: ${what}" EQUAL "${compiled}" "${ARGN}")
endfunction()

add_source(a 1.0)
add_source(b 1.0)
set(all a-configure a-build a-stage b-configure b-build b-stage)
declare("${declaration_of_a} OPTIONS TEXT=first EXTRA=old)\n${declaration_of_b}" b)
configure()
make(good b)
expect_ran("the first time" ${all})
expect_compiled("the first time" a.c b.c more.c)
expect_program("the first time" "first 1 ${places}")

# An option: configure and what follows, not patch; objects that it does not touch stay.
declare("${declaration_of_a} OPTIONS \"TEXT=the second\" EXTRA=old)\n${declaration_of_b}" b)
configure()
explain(
  "a: would run from phase configure on: options TEXT: was: first options TEXT: now: the second"
  "b: would run from phase configure on: dependency a: was:"
)
file(WRITE "${build}/packages/a/source/untouched" "")
make(good b)
expect_ran("another option" ${all})
tsb_expect("the tree" EXISTS "${build}/packages/a/source/untouched")
expect_compiled("another option" a.c b.c) # b.c since a's header was installed again
expect_program("another option" "the second 1 ${places}")

# An option that is gone has its default again.
declare("${declaration_of_a} OPTIONS EXTRA=old MORE=1)\n${declaration_of_b}" b)
configure()
explain("options TEXT: gone; was: the second" "options MORE: new: 1")
make(good b)
expect_program("without the option" "none 1 ${places}")

# A source: the change is named before and after it is fetched.
file(REMOVE "${box}/compiled")
file(WRITE "${box}/trees/a/more.c" "int a_more(void) { return 2; }\n")
file(READ "${box}/trees/a/a.c" text)
string(REPLACE "return TEXT" "return TEXT \" of 2.0\"" text "${text}")
file(WRITE "${box}/trees/a/a.c" "${text}")
add_source(a 2.0)
explain("sources: would run fetch, after which explain knows the rest: pinned sources: was:")
make(good fetch)
explain(
  "a: would run from phase patch on: source a: was: 1.0 sha256:" "source a: now: 2.0 sha256:"
  "b: would run from phase configure on: dependency a"
)
make(good b)
expect_ran("another source" ${all})
expect_compiled("another source" a.c b.c more.c)
expect_program("another source" "none of 2.0 1 ${places}")
explain("a: up to date" "b: up to date")

# Another compiler: nothing that the old one made stays. The launcher and the jobs change nothing.
set(ENV{TEST_COMPILER_VERSION} .1)
configure()
explain("toolchain C_COMPILER_VERSION: was: 1.0 toolchain C_COMPILER_VERSION: now: 1.0.1")
make(good b)
expect_ran("another compiler" ${all})
expect_compiled("another compiler" a.c b.c more.c)
set(ENV{TEST_LAUNCHER} "")
set(ENV{TSB_JOBS} 1)
configure()
make(good b)
expect_ran("another launcher, other jobs")
