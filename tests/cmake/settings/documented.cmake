# SPDX-License-Identifier: BSD-3-Clause
# docs/sources.md explains each variable of cmake/settings/environment.txt, and no others; a removed one names what
# replaces it.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/settings/tsb_check_settings.cmake)
set(settings "${TSB_SOURCE_DIR}/cmake/settings")
file(STRINGS "${settings}/environment.txt" listed REGEX "^TSB_")
file(READ "${TSB_SOURCE_DIR}/docs/sources.md" docs)
string(REGEX MATCHALL "TSB_[A-Z0-9_]+" explained "${docs}")
list(REMOVE_DUPLICATES explained)
list(REMOVE_ITEM explained ${Z_TSB_CACHE_VARIABLES} TSB_PYTHON_311) # an example
list(REMOVE_ITEM listed ${Z_TSB_CACHE_VARIABLES})
list(SORT listed)
list(SORT explained)
tsb_expect("docs/sources.md" EQUAL "${explained}" "${listed}")

file(STRINGS "${settings}/removed.txt" removed REGEX "^[^#]")
foreach(line IN LISTS removed)
  string(REGEX MATCH "^TSB_[A-Z0-9_]+ .+" found "${line}")
  tsb_expect("a line of removed.txt" EQUAL "${found}" "${line}")
  string(REGEX REPLACE " .*" "" name "${line}")
  list(FIND listed ${name} place)
  tsb_expect("${name} is removed, and listed" EQUAL "${place}" -1)
endforeach()
