# SPDX-License-Identifier: BSD-3-Clause
# Rows of every kind are data only: the files made of them are read by CMake, which sets what they say.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
file(COPY ${TSB_SOURCE_DIR}/presets/base.json ${TSB_SOURCE_DIR}/presets/tests.json DESTINATION ${TSB_TEST_DIR}/presets)
file(WRITE ${TSB_TEST_DIR}/presets/gone.json "{}")
set(MATRIX ${CMAKE_CURRENT_LIST_DIR}/matrix_of_all_kinds.json)
set(ROOT ${TSB_TEST_DIR})
include(${TSB_SOURCE_DIR}/presets/generate_presets.cmake)
tsb_expect("a backend that is not in the matrix" ABSENT ${TSB_TEST_DIR}/presets/gone.json)

execute_process(
  COMMAND ${CMAKE_COMMAND} --workflow --list-presets WORKING_DIRECTORY ${TSB_TEST_DIR}
  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY
)
string(REGEX MATCHALL "\"[^\"]+\" +- " names "${output}")
string(REGEX REPLACE "[\" -]+(;|$)" "\\1" names "${names}")
string(REGEX REPLACE "(^|;)\"" "\\1" names "${names}")
tsb_expect(
  "the workflows"
  EQUAL
  "${names}"
  "cpu-libtorch-shared;cpu-libtorch-static-without-deps;cpu-wheel-py311;cpu-conda-py312;cpu-all;cpu-libtorch-shared-openblas;cpu-libtorch-shared-without-deps;cu124-libtorch-static;tests;tests-fast"
)

file(READ ${TSB_TEST_DIR}/presets/cpu.json cpu)
string(JSON artifacts GET "${cpu}" configurePresets 4 cacheVariables TSB_ARTIFACTS)
tsb_expect(
  "the artifacts of cpu-all"
  EQUAL
  "${artifacts}"
  "libtorch-shared-with-deps;libtorch-static-without-deps;wheel-py311;conda-libtorch;conda-py312;libtorch-shared-without-deps"
)
foreach(expected IN ITEMS "4;mkl" "5;openblas" "6;mkl")
  list(POP_FRONT expected index blas)
  string(JSON value GET "${cpu}" configurePresets ${index} cacheVariables TSB_BLAS)
  tsb_expect("the BLAS of preset ${index}" EQUAL "${value}" "${blas}")
endforeach()

file(
  WRITE ${TSB_TEST_DIR}/CMakeLists.txt
  [[
cmake_minimum_required(VERSION 3.25)
project(p NONE)
foreach(name IN ITEMS TSB_PRESET TSB_BACKEND TSB_PYTORCH_VERSION TSB_BLAS TSB_ARTIFACTS TSB_OF_ROW TSB_CUDA_VERSION)
  message(STATUS "${name}=${${name}}")
endforeach()
]]
)
execute_process(
  COMMAND ${CMAKE_COMMAND} --preset cu124-libtorch-static WORKING_DIRECTORY ${TSB_TEST_DIR}
  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY
)
tsb_expect(
  "cu124"
  CONTAINS
  "${output}"
  "-- TSB_PRESET=cu124-libtorch-static
-- TSB_BACKEND=cu124
-- TSB_PYTORCH_VERSION=2.7.1
-- TSB_BLAS=openblas
-- TSB_ARTIFACTS=libtorch-static-with-deps
-- TSB_OF_ROW=
-- TSB_CUDA_VERSION=12.4"
)
tsb_expect("its build folder" EXISTS ${TSB_TEST_DIR}/build/cu124-libtorch-static/build.ninja)
execute_process(
  COMMAND ${CMAKE_COMMAND} --preset cpu-conda-py312 WORKING_DIRECTORY ${TSB_TEST_DIR}
  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY
)
tsb_expect("conda" CONTAINS "${output}" "-- TSB_ARTIFACTS=conda-libtorch;conda-py312 -- TSB_OF_ROW=1;2")

execute_process(
  COMMAND ${CMAKE_COMMAND} -D TABLE=ON -D MATRIX=${MATRIX} -P ${TSB_SOURCE_DIR}/presets/generate_presets.cmake
  OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY
)
tsb_expect("the table" CONTAINS "${table}" "| `cpu-wheel-py311` | PyTorch 2.6.0, CPU: wheel for Python 3.11.")
