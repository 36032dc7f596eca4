# SPDX-License-Identifier: BSD-3-Clause
# What PyTorch's compile gets for each BLAS, and for another processor: whole options, as declarations take them. One of
# OpenBLAS's holds a list.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/data/tsb_find_data.cmake)
set(target_unity_groups ON)
set(target_cross "${CROSS}")
set(backend_kind cpu)
set(TSB_BLAS ${BLAS})
include(${TSB_SOURCE_DIR}/superbuild/pytorch/build_settings.cmake)

function(names_of out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS")
  list(TRANSFORM arg_OPTIONS REPLACE "=.*" "")
  set(${out} "${arg_OPTIONS}" PARENT_SCOPE)
endfunction()

names_of(names OPTIONS ${pytorch_options})
tsb_expect("the options" EQUAL "${names}" "${EXPECTED}")
