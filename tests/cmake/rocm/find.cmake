# SPDX-License-Identifier: BSD-3-Clause
# Which clang and device libraries of a distribution belong together, and what ROCM_PATH and HIP_CLANG_PATH may be.
# (tests/cmake/doctor/test_rocm.py has the order of several.)
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
include("${TSB_SOURCE_DIR}/tests/fixtures/rocm.cmake")
include("${TSB_SOURCE_DIR}/backends/rocm/cmake/tsb_find_rocm_toolkits.cmake")
unset(ENV{ROCM_PATH})
unset(ENV{HIP_CLANG_PATH})
file(REAL_PATH "${TSB_TEST_DIR}/root" root)
set(usr "${root}/usr")

# expect_toolkit(<what> <number> <member>=<value>...)
function(expect_toolkit what number)
  tsb_find_rocm_toolkits(toolkits ROOT "${root}")
  foreach(pair IN LISTS ARGN)
    string(REGEX MATCH "^([^=]*)=(.*)$" ignored "${pair}")
    set(expected "${CMAKE_MATCH_2}")
    string(JSON value GET "${toolkits}" ${number} ${CMAKE_MATCH_1})
    tsb_expect("${what}: ${CMAKE_MATCH_1}" EQUAL "${value}" "${expected}")
  endforeach()
endfunction()

# add(<folder of LLVM> [<folder of device libraries>]): in usr.
function(add llvm)
  file(WRITE "${usr}/${llvm}/bin/clang++" "")
  foreach(folder IN LISTS ARGN)
    file(WRITE "${usr}/${llvm}/${folder}/amdgcn/bitcode/ocml.bc" "")
  endforeach()
endfunction()

# Device libraries in a common folder go with the newest clang. One that has its own goes before.
make_rocm("${usr}" 6.2.4 LAYOUT distribution)
set(common "device_libraries=${usr}/lib/x86_64-linux-gnu/amdgcn/bitcode")
expect_toolkit("one" 0 fault= "clang=${usr}/lib/llvm-22/bin" "${common}")
add(lib/llvm-9)
add(lib/llvm-23)
expect_toolkit("the newest" 0 fault= "clang=${usr}/lib/llvm-23/bin" "${common}")
add(lib/llvm-9 lib/clang/9)
add(lib/llvm-17 lib/clang/17/lib)
expect_toolkit(
  "the newest with its own" 0 fault= "clang=${usr}/lib/llvm-17/bin"
  "device_libraries=${usr}/lib/llvm-17/lib/clang/17/lib/amdgcn/bitcode"
)
set(ENV{HIP_CLANG_PATH} "${usr}/lib/llvm-9/bin")
expect_toolkit(
  "HIP_CLANG_PATH" 0 fault= "clang=${usr}/lib/llvm-9/bin"
  "device_libraries=${usr}/lib/llvm-9/lib/clang/9/amdgcn/bitcode"
)
file(MAKE_DIRECTORY "${usr}/bin")
file(CREATE_LINK ../lib/llvm-9/bin/clang++ "${usr}/bin/clang++" SYMBOLIC)
set(ENV{HIP_CLANG_PATH} "${usr}/bin")
expect_toolkit(
  "a link to it" 0 fault= "clang=${usr}/bin" "device_libraries=${usr}/lib/llvm-9/lib/clang/9/amdgcn/bitcode"
)
foreach(value IN ITEMS /nowhere root/usr/lib/llvm-9/bin)
  set(ENV{HIP_CLANG_PATH} "${value}")
  expect_toolkit("HIP_CLANG_PATH" 0 "fault=it lacks clang++ in HIP_CLANG_PATH, which is ${value}")
endforeach()
unset(ENV{HIP_CLANG_PATH})

# Fedora's.
file(REMOVE_RECURSE "${usr}")
make_rocm("${usr}" 6.2.4 LAYOUT distribution)
file(REMOVE_RECURSE "${usr}/lib/llvm-22" "${usr}/lib/x86_64-linux-gnu/amdgcn")
add(lib64/rocm/llvm lib/clang/18)
expect_toolkit(
  "Fedora" 0 fault= "clang=${usr}/lib64/rocm/llvm/bin"
  "device_libraries=${usr}/lib64/rocm/llvm/lib/clang/18/amdgcn/bitcode"
)

# ROCM_PATH is one folder, wherever one is; the others stay what they are.
make_rocm("${root}/opt/rocm" 6.1.2)
foreach(value IN ITEMS root/opt/rocm "${root}/opt/rocm;${usr}")
  set(ENV{ROCM_PATH} "${value}")
  expect_toolkit("ROCM_PATH" 0 found_by=ROCM_PATH "fault=it is not the absolute path of one folder")
  expect_toolkit("/opt" 1 found_by=/opt "home=${root}/opt/rocm" fault=)
  expect_toolkit("the distribution" 2 found_by=distribution "home=${usr}" fault=)
endforeach()
