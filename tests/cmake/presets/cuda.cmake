# SPDX-License-Identifier: BSD-3-Clause
# What a backend's CUDA version decides: the variable, the release (with pins if there is one), the Pythons.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
file(COPY ${TSB_SOURCE_DIR}/presets/base.json ${TSB_SOURCE_DIR}/presets/tests.json DESTINATION ${TSB_TEST_DIR}/presets)
set(MATRIX ${TSB_SOURCE_DIR}/presets/matrix.json)
set(ROOT ${TSB_TEST_DIR})
set(PINS ${TSB_TEST_DIR}/third_party)
file(WRITE ${PINS}/pytorch-2.6.0/sources.json "{}")
file(WRITE ${PINS}/pytorch-2.8.0/sources.json "{}")
include(${TSB_SOURCE_DIR}/presets/generate_presets.cmake)

# The newest with pins; of 12.1 and 13.0, which no release with pins supports, the newest.
foreach(
  case
  IN
  ITEMS
    "cu118;11.8;2.6.0"
    "cu121;12.1;2.5.1"
    "cu124;12.4;2.6.0"
    "cu126;12.6;2.8.0"
    "cu128;12.8;2.8.0"
    "cu130;13.0;2.12.1"
)
  list(POP_FRONT case backend cuda pytorch)
  file(READ ${TSB_TEST_DIR}/presets/${backend}.json json)
  string(JSON value GET "${json}" configurePresets 0 cacheVariables TSB_CUDA_VERSION)
  tsb_expect("CUDA of ${backend}" EQUAL "${value}" ${cuda})
  string(JSON value GET "${json}" configurePresets 0 cacheVariables TSB_PYTORCH_VERSION)
  tsb_expect("PyTorch of ${backend}" EQUAL "${value}" ${pytorch})
  set(names "")
  string(JSON count LENGTH "${json}" configurePresets)
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON name GET "${json}" configurePresets ${index} name)
    list(APPEND names ${name})
  endforeach()
  set(names_of_${backend} "${names}")
endforeach()
foreach(
  name
  IN
  ITEMS wheel-py39 wheel-py39-large conda-py313 libtorch-static-without-deps all
)
  list(FIND names_of_cu124 cu124-${name} position)
  if(position EQUAL -1)
    message(FATAL_ERROR "there is no cu124-${name}: ${names_of_cu124}")
  endif()
endforeach()
# PyTorch 2.5 is not made for 3.13, 2.12 not for 3.9.
tsb_expect("Pythons" LACKS "${names_of_cu121}" py313)
tsb_expect("Pythons" CONTAINS "${names_of_cu121}" cu121-wheel-py39-large)
tsb_expect("Pythons" LACKS "${names_of_cu130}" py39)

# Both styles are artifacts of their own, and of everything.
file(READ ${TSB_TEST_DIR}/presets/cu124.json json)
string(JSON artifacts GET "${json}" configurePresets ${last} cacheVariables TSB_ARTIFACTS)
list(FIND names_of_cu124 cu124-all index)
string(JSON artifacts GET "${json}" configurePresets ${index} cacheVariables TSB_ARTIFACTS)
tsb_expect("everything" CONTAINS ";${artifacts};" ";wheel-py311;")
tsb_expect("everything" CONTAINS ";${artifacts};" ";wheel-py311-large;")

# The facts: each CUDA version that a release names has its drivers, and each backend a release. The lowest driver is that
# of the major version, which is what conda packages ask for.
include(${TSB_SOURCE_DIR}/cmake/cuda/tsb_cuda_release.cmake)
z_tsb_cuda_facts(facts)
z_tsb_json_members(releases "${facts}" pytorch)
foreach(release IN LISTS releases)
  z_tsb_json_members(versions "${facts}" pytorch ${release} cuda)
  foreach(version IN LISTS versions)
    tsb_cuda_release(row ${release}.0 ${version})
    foreach(variable IN ITEMS ARCHS CUDNN DRIVER LOWEST_DRIVER)
      if("${row_${variable}}" STREQUAL "")
        message(FATAL_ERROR "PyTorch ${release} with CUDA ${version}: no ${variable}")
      endif()
    endforeach()
    tsb_expect("PyTorch ${release} with CUDA ${version}" EQUAL "${row_ERROR}" "")
    string(REGEX MATCH "^[0-9]+" major "${version}")
    if(NOT DEFINED lowest_of_${major})
      set(lowest_of_${major} "${row_LOWEST_DRIVER}")
    endif()
    tsb_expect("the lowest driver of CUDA ${version}" EQUAL "${row_LOWEST_DRIVER}" "${lowest_of_${major}}")
  endforeach()
endforeach()
