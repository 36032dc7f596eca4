# SPDX-License-Identifier: BSD-3-Clause
# Submodules and patches of one kind of backend are not in the pins of another one, nor patches in those of a lower
# version.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../tsb_expect.cmake)
include("${TSB_SOURCE_DIR}/cmake/package/z_tsb_pins_for_backend.cmake")
set(
  pins
  [[{"sources": {
  "a": {"submodules": [{"name": "all"}, {"name": "gpu", "backend": "cuda"}, {"name": "last"}, {"name": "gpu2", "backend": "cuda"}],
        "patches": [{"file": "gpu.patch", "backend": "cuda"}, {"file": "all.patch"},
                    {"file": "new.patch", "backend": "rocm", "lowest_backend_version": "7"}]},
  "b": {"candidates": []}}}]]
)

function(expect_names kind version expected)
  z_tsb_pins_for_backend(result "${pins}" "${kind}" "${version}")
  set(found "")
  foreach(pair IN ITEMS submodules=name patches=file)
    string(REPLACE "=" ";" pair "${pair}")
    list(GET pair 0 list)
    list(GET pair 1 member)
    string(JSON count LENGTH "${result}" sources a ${list})
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      string(JSON name GET "${result}" sources a ${list} ${index} ${member})
      list(APPEND found ${name})
    endforeach()
  endforeach()
  tsb_expect("what a has for '${kind}' ${version}" EQUAL "${found}" "${expected}")
endfunction()
expect_names("" "" "all;last;all.patch")
expect_names(cuda 12.4 "all;gpu;last;gpu2;gpu.patch;all.patch")
expect_names(rocm 6.2 "all;last;all.patch")
expect_names(rocm 7.0 "all;last;all.patch;new.patch")
expect_names(rocm 10.0 "all;last;all.patch;new.patch")
z_tsb_pins_for_backend(result "{\"sources\": {}}" cuda 12.4)
