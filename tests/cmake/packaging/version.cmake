# SPDX-License-Identifier: BSD-3-Clause
# Which requests for a version libtorch 2.6.0 meets, and what is said when a library is missing.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
set(root "${TSB_TEST_DIR}/with blank/libtorch")
make_package("${root}")
foreach(library IN ITEMS c10 torch_cpu torch)
  file(WRITE "${root}/lib/lib${library}.so" "")
endforeach()
file(
  WRITE "${TSB_TEST_DIR}/project/CMakeLists.txt"
  [[
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES NONE)
function(expect request found)
  string(REPLACE " " ";" arguments "${request}")
  find_package(Torch ${arguments} QUIET)
  if(found AND NOT Torch_FOUND)
    message(FATAL_ERROR "find_package(Torch ${request}) does not find 2.6.0")
  elseif(Torch_FOUND AND NOT found)
    message(FATAL_ERROR "find_package(Torch ${request}) finds 2.6.0")
  endif()
  if(found AND NOT Torch_VERSION STREQUAL "2.6.0")
    message(FATAL_ERROR "Torch_VERSION is '${Torch_VERSION}'")
  endif()
endfunction()
expect("" ON)
expect("2.6.0" ON)
expect("2.6" ON)
expect("2" ON)
expect("1.13.1" ON)
expect("2.6.1" OFF)
expect("3" OFF)
expect("2.6.0 EXACT" ON)
expect("2.5.1 EXACT" OFF)
expect("2.4...2.6" ON)
expect("2.4...2.5" OFF)
expect("2.4...<2.6" OFF)
expect("2.4...<2.7" ON)
expect("2.7...2.9" OFF)
]]
)
set(
  configure "${CMAKE_COMMAND}" -S "${TSB_TEST_DIR}/project" -B "${TSB_TEST_DIR}/build" -G Ninja
            "-DCMAKE_PREFIX_PATH=${root}"
)
run(good ${configure})

file(REMOVE "${root}/lib/libtorch_cpu.so")
run(bad ${configure})
tsb_expect(
  "what is said" CONTAINS "${output}"
  "libtorch is not whole: ${root}/lib/libtorch_cpu.so is missing. Unpack the zip again."
)
