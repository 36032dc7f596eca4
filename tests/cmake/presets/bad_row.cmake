# SPDX-License-Identifier: BSD-3-Clause
# FROM becomes TO in the rows of the matrix.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
file(READ ${TSB_SOURCE_DIR}/presets/matrix.json text)
string(REPLACE "\"linkage\": \"${FROM}\"" "\"linkage\": \"${TO}\"" text "${text}")
string(REPLACE "\"name\": \"${FROM}\"" "\"name\": \"${TO}\"" text "${text}")
string(REPLACE "\"blas\": \"${FROM}\"}" "\"blas\": \"${TO}\"}" text "${text}")
string(REPLACE "\"style\": \"${FROM}\"" "\"style\": \"${TO}\"" text "${text}")
string(REPLACE "\"rows\": \"${FROM}\"" "\"rows\": \"${TO}\"" text "${text}")
tsb_expect("the matrix" CONTAINS "${text}" "\"${TO}\"")
file(WRITE ${TSB_TEST_DIR}/matrix.json "${text}")
set(MATRIX ${TSB_TEST_DIR}/matrix.json)
set(ROOT ${TSB_TEST_DIR})
include(${TSB_SOURCE_DIR}/presets/generate_presets.cmake)
