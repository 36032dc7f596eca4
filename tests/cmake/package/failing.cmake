# SPDX-License-Identifier: BSD-3-Clause
# A package that fails: the first error in its log, which phase of which package, what to do; no frames of our scripts.
# The rest is left alone, and the same command goes on.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
file(READ "${box}/trees/a/more.c" whole)
file(WRITE "${box}/trees/a/more.c" "#error this does not compile\n")
add_source(a 1.0)
declare("${declaration_of_a} OPTIONS TEXT=x)" a)
configure()

function(expect_failure phase part)
  tsb_expect(
    "output" CONTAINS "${output}" "${part}"
    "error: package a: the ${phase} phase failed fix the error shown above and run the same command again; finished work is kept"
  )
  tsb_expect("output" LACKS "${output}" "CMake Error at ${TSB_SOURCE_DIR}" "Call Stack")
  tsb_expect("log" EXISTS "${build}/packages/a/log/${phase}.log")
  tsb_expect("state" ABSENT "${build}/steps/a/${phase}.json")
endfunction()

make(bad a)
expect_failure(build "this does not compile")
tsb_expect("a finished phase" EXISTS "${build}/steps/a/configure.json")
file(WRITE "${build}/packages/a/source/more.c" "${whole}")
make(good a)
expect_ran("the same command again" a-build a-stage)

# It finds what it does not declare. (isolation.check-found has the rules.)
file(WRITE "${box}/machine/lib/libstray.so" "")
set(find "set(CMAKE_SYSTEM_PREFIX_PATH \"${box}/machine\")\nfind_library(STRAY stray)\n")
file(APPEND "${box}/trees/a/CMakeLists.txt" "${find}")
add_source(a 1.1)
make(bad a)
tsb_expect(
  "output" CONTAINS "${output}"
  "error: package a found ${box}/machine/lib/libstray.so of this machine for STRAY, which it does not declare"
)
tsb_expect("output" LACKS "${output}" "CMake Error")
tsb_expect("state" ABSENT "${build}/steps/a/configure.json")

# Its CMake fails: its own error is shown.
file(APPEND "${box}/trees/a/CMakeLists.txt" "message(FATAL_ERROR \"no such machine\")\n")
add_source(a 1.2)
make(bad a)
tsb_expect("output" CONTAINS "${output}" "error: package a: the configure phase failed")
tsb_expect_file("log" CONTAINS "${build}/packages/a/log/configure.log" "no such machine")
