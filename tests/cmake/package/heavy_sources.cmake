# SPDX-License-Identifier: BSD-3-Clause
# HEAVY_SOURCES: their compiles, and no others, are in a pool of their own, also when the project's CMake leaves files
# behind that are newer than what it generates; a pattern that fits nothing is an error.
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

declare("${declaration_of_a} HEAVY_SOURCES \"/mor[e][.]c\" HEAVY_MEMORY_PER_JOB_MB 1)" a)
configure()
make(good a)
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

file(REMOVE_RECURSE "${build}" "${box}/store")
declare("${declaration_of_a} HEAVY_SOURCES nothing HEAVY_MEMORY_PER_JOB_MB 1)" a)
configure()
make(bad a)
tsb_expect("the error" CONTAINS "${output}" "package a: no compile matches HEAVY_SOURCES nothing")
tsb_expect("the error" CONTAINS "${output}" "correct it in superbuild/a.cmake")
