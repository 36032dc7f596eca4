# SPDX-License-Identifier: BSD-3-Clause
# A small project in PyTorch's place: what is grouped, what stays alone, and when nothing is grouped at all.
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")

set(source "${TSB_TEST_DIR}/source")
set(groups "${TSB_TEST_DIR}/groups")
set(list "")
foreach(name IN ITEMS one two changed excluded alone third_party/three third_party/four)
  string(REPLACE "third_party/" "" variable "${name}")
  file(WRITE "${source}/${name}.cpp" "int ${variable}_value = 1;\n")
  file(SHA256 "${source}/${name}.cpp" ${variable})
  string(SUBSTRING "${${variable}}" 0 12 ${variable})
endforeach()
file(APPEND "${source}/changed.cpp" "int patched = 1;\n")
file(
  WRITE "${source}/CMakeLists.txt"
  [=[
cmake_minimum_required(VERSION 3.18 FATAL_ERROR)
project(Torch CXX)
if(COMPILER)
  set(CMAKE_CXX_COMPILER_ID ${COMPILER})
endif()
add_library(torch_cpu STATIC one.cpp two.cpp changed.cpp excluded.cpp alone.cpp)
set_source_files_properties(two.cpp PROPERTIES COMPILE_DEFINITIONS TORCH_ASSERT_ONLY_METHOD_OPERATORS)
add_subdirectory(third_party)
]=]
)
file(WRITE "${source}/third_party/CMakeLists.txt" "add_library(dnnl_cpu OBJECT three.cpp four.cpp)\n")

# The proven headers: the digest is of names and contents, as sha256sum prints them.
file(WRITE "${source}/headers/proven.h" "// proven\n")
file(SHA256 "${source}/headers/proven.h" headers)
string(SHA256 headers "${headers} headers/proven.h\n")
string(SUBSTRING "${headers}" 0 12 headers)
file(WRITE "${source}/third_party/include/proven.hpp" "// proven\n")
file(SHA256 "${source}/third_party/include/proven.hpp" third_headers)
string(SHA256 third_headers "${third_headers} third_party/include/proven.hpp\n")
string(SUBSTRING "${third_headers}" 0 12 third_headers)

file(MAKE_DIRECTORY "${groups}")
file(WRITE "${groups}/unity_exclude.txt" "# paths and reasons\nexcluded.cpp it was seen to fail\n")
file(
  WRITE "${groups}/unity_groups.txt"
  "# a list\n% ${headers} . headers -headers/written.h\n% ${third_headers} third_party third_party/include\n@ torch_cpu first_01\n${one} one.cpp\n${two} two.cpp\n${changed} changed.cpp\n${excluded} excluded.cpp\n"
  "0123456789ab gone.cpp\n@ dnnl_cpu first_01\n${three} third_party/three.cpp\n${four} third_party/four.cpp\n"
  "@ no_such_target second_01\n${alone} alone.cpp\n"
)

# configure(<out-var for the output> <argument>...), in a build folder of its own, with the files of `inputs`.
set(inputs "${groups}/other.txt;${groups}/unity_exclude.txt;${groups}/unity_groups.txt")
set(includes "${TSB_SOURCE_DIR}/superbuild/pytorch/unity_groups.cmake")
function(configure out)
  file(REMOVE_RECURSE "${TSB_TEST_DIR}/build")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${source}" -B "${TSB_TEST_DIR}/build" -G Ninja -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
            "-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=${includes}" "-DTSB_INPUTS=${inputs}" ${ARGN}
    OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY
  )
  set(${out} "${output}" PARENT_SCOPE)
endfunction()

configure(output)
tsb_expect("the outcome" CONTAINS "${output}" "unity groups: 4 sources in 2 units, 1 changed sources stay alone")
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${TSB_TEST_DIR}/build" COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
# Members of a unit stay in the database beside it, but only what is really compiled leaves an object.
file(GLOB_RECURSE objects RELATIVE "${TSB_TEST_DIR}/build" "${TSB_TEST_DIR}/build/*.o")
list(FILTER objects EXCLUDE REGEX "CMakeFiles/[0-9.]+/")
list(TRANSFORM objects REPLACE ".*/" "")
list(SORT objects)
tsb_expect(
  "the objects" EQUAL "${objects}"
  "alone.cpp.o;changed.cpp.o;excluded.cpp.o;unity_first_01_cxx.cxx.o;unity_first_01_cxx.cxx.o"
)

configure(output -DTSB_UNITY=OFF)
tsb_expect("switched off" CONTAINS "${output}" "unity groups: off (TSB_UNITY)")
configure(output -DTSB_UNITY=ON)
tsb_expect("switched on" CONTAINS "${output}" "4 sources in 2 units")
configure(output -DCOMPILER=Clang)
tsb_expect("another compiler" CONTAINS "${output}" "unity groups: none, they were proven with GCC only")
# Without files that are left out.
set(all_inputs "${inputs}")
file(
  WRITE "${groups}/py/unity_groups.txt"
  "% ${headers} . headers\n@ torch_cpu first_01\n${one} one.cpp\n${two} two.cpp\n"
)
set(inputs "${groups}/py/unity_groups.txt")
configure(output)
tsb_expect("nothing is left out" CONTAINS "${output}" "unity groups: 2 sources in 1 units\n")
set(inputs "${all_inputs}")
# Other headers: a change, one more. What the list leaves out does not count.
file(WRITE "${source}/headers/written.h" "// written by the build\n")
configure(output)
tsb_expect("a header that does not count" CONTAINS "${output}" "unity groups: 4 sources in 2 units, 1 changed")
file(APPEND "${source}/third_party/include/proven.hpp" "#define value other\n")
configure(output)
tsb_expect(
  "other headers of a project" CONTAINS "${output}"
  "2 sources in 1 units, 3 changed sources stay alone (other headers than the proven ones: third_party)"
)
file(WRITE "${source}/headers/more.h" "")
configure(output)
tsb_expect("other headers of both" CONTAINS "${output}" "0 sources in 0 units, 5 changed sources stay alone")
tsb_expect("other headers of both" CONTAINS "${output}" "(other headers than the proven ones: PyTorch, third_party)")
# By trial, with the headers and the content that are there; what is left out stays so.
configure(output -DTSB_UNITY_TRIAL=ON)
tsb_expect(
  "by trial" CONTAINS "${output}"
  "5 sources in 2 units, 5 changed sources by trial (other headers than the proven ones"
)
set(inputs "${groups}/other.txt")
configure(output)
tsb_expect("no list" CONTAINS "${output}" "none are known for this release, every source is compiled alone")
