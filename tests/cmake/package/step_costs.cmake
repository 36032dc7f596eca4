# SPDX-License-Identifier: BSD-3-Clause
# Step costs reach the build, as it shows the time that is left, and decide nothing else.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
add_source(a 1.0)
file(WRITE "${box}/costs of a" "3 *more.c.o\n")
declare("${declaration_of_a} STEP_COSTS \"${box}/costs of a\")" a)
configure()
make(good a)
expect_ran("a whole build" a-configure "a-build with costs of a" a-stage)
file(WRITE "${box}/costs of a" "5 *more.c.o\n")
configure()
explain("a: up to date")
