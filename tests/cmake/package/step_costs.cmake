# SPDX-License-Identifier: BSD-3-Clause
# Step costs reach the build. Expensive steps stand first in build.ninja, where Ninja starts with them; nothing else
# follows from the costs.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
add_source(a 1.0)
file(WRITE "${box}/costs of a" "# seconds, output\n3 *a.c.o\n10 *more.c.o\n")
declare("${declaration_of_a} STEP_COSTS \"${box}/costs of a\")" a)
configure()
make(good a)
expect_ran("a whole build" a-configure "a-build with costs of a" a-stage)
file(STRINGS "${build}/packages/a/build/build.ninja" statements REGEX "^build ")
list(GET statements 0 first)
tsb_expect("the first statement" CONTAINS "${first}" "more.c.o: ")
file(WRITE "${box}/costs of a" "5 *more.c.o\n")
configure()
explain("a: up to date")

# What Ninja does with it: the most expensive one first, the cheap ones in their order.
set(ninja_file "rule run\n  command = echo $out >>order && touch $out\nbuild gen: run\n")
foreach(name IN ITEMS b+.o a.o c1.o c2.o)
  string(APPEND ninja_file "build ${name}: run || gen\n  unused = 1\n\n")
endforeach()
string(APPEND ninja_file "unused = 2\nbuild all: phony a.o b+.o c1.o c2.o\ndefault all\n")
file(MAKE_DIRECTORY "${box}/order")
file(WRITE "${box}/order/as it was" "${ninja_file}")
file(WRITE "${box}/order/costs" "10 b+.o\n90 c*.o\n200 c2.o\n9 a.o\n")
execute_process(
  COMMAND awk -v "costs=${box}/order/costs" -f "${TSB_SOURCE_DIR}/cmake/package/z_tsb_order_ninja_file.awk"
          "${box}/order/as it was" OUTPUT_FILE "${box}/order/build.ninja" COMMAND_ERROR_IS_FATAL ANY
)
execute_process(COMMAND ninja -C "${box}/order" -j1 OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS "${box}/order/order" order)
tsb_expect("the order" EQUAL "${order}" "gen;c1.o;c2.o;b+.o;a.o")
