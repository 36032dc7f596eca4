# SPDX-License-Identifier: BSD-3-Clause
# A package that finds libraries of the machine in other ways than by find_package(): it ends with what it found and
# what to do, and each remedy works.
include("${TSB_SOURCE_DIR}/tests/cmake/package/fixture.cmake")
set(c "${box}/trees/c")
file(WRITE "${c}/LICENSE" "licence of c\n")
file(WRITE "${c}/c.c" "int main(void) { return 0; }\n")
file(WRITE "${box}/machine/lib/libstray.so" "")
file(WRITE "${box}/machine/lib/libstray.a" "")
file(WRITE "${box}/machine/include/stray.h" "")
file(WRITE "${box}/machine/modules/Findstray.cmake" "find_path(stray_INCLUDE_DIR stray.h)\nset(stray_FOUND TRUE)\n")

# call(<good|bad> <call in c's CMakeLists.txt> [<arguments of its declaration>]): sets `output`, and `found`.
set(version 0)
function(call expected text)
  math(EXPR version "${version} + 1")
  file(
    WRITE "${c}/CMakeLists.txt"
    "cmake_minimum_required(VERSION 3.18)
${known_compiler}project(c LANGUAGES C)
set(CMAKE_SYSTEM_PREFIX_PATH \"${box}/machine\")
set(CMAKE_MODULE_PATH \"${box}/machine/modules\")
add_executable(c c.c)
${text}
file(WRITE \"\${CMAKE_BINARY_DIR}/found.txt\" \"\${STRAY}\")
install(TARGETS c)\n"
  )
  add_source(c ${version})
  declare("tsb_declare_package(c DESCRIPTION \"C\" SOURCE c LICENSE_FILES LICENSE ${ARGN})" c)
  configure()
  make(${expected} c-configure)
  file(READ "${build}/packages/c/build/found.txt" found)
  foreach(variable IN ITEMS version pins output found)
    set(${variable} "${${variable}}" PARENT_SCOPE)
  endforeach()
endfunction()
function(expect_error what remedy)
  tsb_expect("output" CONTAINS "${output}" "error: package c ${what}, which it does not declare add '${remedy}")
  tsb_expect("output" LACKS "${output}" "CMake Error")
  tsb_expect("state" ABSENT "${build}/steps/c/configure.json")
endfunction()

set(library "${box}/machine/lib/libstray.so")
call(bad "find_library(STRAY stray)")
expect_error("found ${library} of this machine for STRAY" "SYSTEM STRAY' to superbuild/c.cmake")
tsb_expect("output" CONTAINS "${output}" "'OPTIONS STRAY=' if it must find none")
call(good "find_library(STRAY stray)" SYSTEM STRAY)
tsb_expect("declared" EQUAL "${found}" "${library}")
call(good "find_library(STRAY stray)" OPTIONS STRAY=)
tsb_expect("declared as none" EQUAL "${found}" "")

# Its own module: it may run when it is named, but not find what is not declared.
call(good "find_package(stray)")
call(bad "find_package(stray REQUIRED)" MODULES stray)
expect_error("found ${box}/machine/include of this machine for stray_INCLUDE_DIR" "SYSTEM stray_INCLUDE_DIR'")
call(good "find_package(stray REQUIRED)" SYSTEM stray)

# Without a trace in the cache.
call(bad "find_library(STRAY libstray.a NO_CACHE)\ntarget_link_libraries(c \"\${STRAY}\")")
expect_error("links ${box}/machine/lib/libstray.a of this machine" "SYSTEM stray' to superbuild/c.cmake")
call(bad "target_link_libraries(c stray m dl)")
expect_error("links -lstray of this machine" "SYSTEM stray' to superbuild/c.cmake")
call(good "target_link_libraries(c stray m dl)" SYSTEM stray)
