# SPDX-License-Identifier: BSD-3-Clause
# What is changed in a package's build.ninja: the compiles of HEAVY_SOURCES, and no others, are in a pool of their own,
# and expensive steps (STEP_COSTS) stand first, where Ninja starts with them. Nothing else follows from either.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
# What the project reads is newer than what CMake generates from it: Ninja would run CMake again.
file(
  APPEND "${box}/trees/a/CMakeLists.txt"
  [[
set(stamp "${CMAKE_BINARY_DIR}/stamp.txt")
if(NOT EXISTS "${stamp}")
  file(WRITE "${stamp}" "")
  execute_process(COMMAND touch -d "1 minute" "${stamp}")
else()
  execute_process(COMMAND touch -d "1 minute ago" "${stamp}")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${stamp}")
]]
)
add_source(a 1.0)
file(WRITE "${box}/costs of a" "# seconds, output\n3 *a.c.o\n10 *more.c.o\n")
set(costs "STEP_COSTS \"${box}/costs of a\" HEAVY_MEMORY_PER_JOB_MB 1")
declare("${declaration_of_a} ${costs} HEAVY_SOURCES \"/mor[e][.]c\")" a)
configure()
make(good a)
expect_ran("a whole build" a-configure "a-build with costs of a" a-stage)
file(READ "${build}/packages/a/build/build.ninja" text)
string(REGEX MATCHALL "\nbuild [^\n]*[.]o: [^\n]*\n  pool = heavy\n" heavy "${text}")
list(LENGTH heavy count)
tsb_expect("compiles in the pool" EQUAL "${count}" 1)
tsb_expect("the one" CONTAINS "${heavy}" "more.c.o: ")
file(READ "${build}/packages/a/build/CMakeFiles/rules.ninja" rules)
string(REGEX MATCH "pool heavy\n  depth = [1-9]" pool "${text}${rules}")
if(pool STREQUAL "")
  message(FATAL_ERROR "there is no pool heavy")
endif()
string(REGEX MATCH "\nbuild [^\n]*" first "${text}")
tsb_expect("the first statement" CONTAINS "${first}" "more.c.o: ")

file(WRITE "${box}/costs of a" "5 *more.c.o\n")
configure()
explain("a: up to date")
declare("${declaration_of_a} ${costs} HEAVY_SOURCES nothing)" a)
configure()
file(REMOVE_RECURSE "${build}/packages/a/build" "${build}/steps/a" "${box}/store")
make(bad a)
tsb_expect(
  "the error" CONTAINS "${output}" "package a: no compile matches HEAVY_SOURCES nothing"
  "correct it in declarations.cmake"
)

# What Ninja does with the order: the most expensive one first, the cheap ones in their order.
set(ninja_file "rule run\n  command = echo $out >>order && touch $out\nbuild gen: run\n")
foreach(name IN ITEMS b+.o a.o c1.o c2.o)
  string(APPEND ninja_file "build ${name}: run || gen\n  unused = 1\n\n")
endforeach()
string(APPEND ninja_file "unused = 2\nbuild all: phony a.o b+.o c1.o c2.o\ndefault all\n")
file(WRITE "${box}/order/build.ninja" "${ninja_file}")
file(WRITE "${box}/order/costs" "10 b+.o\n90 c*.o\n200 c2.o\n9 a.o\n")
include("${TSB_SOURCE_DIR}/cmake/package/z_tsb_edit_ninja_file.cmake")
tsb_python_command(edit python3 runner.edit_ninja_file)
execute_process(
  COMMAND ${edit} "${box}/order/build.ninja" order a.cmake "" "${box}/order/costs" COMMAND_ERROR_IS_FATAL ANY
)
execute_process(COMMAND ninja -C "${box}/order" -j1 OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS "${box}/order/order" order)
tsb_expect("the order" EQUAL "${order}" "gen;c1.o;c2.o;b+.o;a.o")
