# SPDX-License-Identifier: BSD-3-Clause
# Which folders add to the pins of a release: the project's additions and that of TSB_ADDITIONS, but no other release.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/tests/fixtures/release.cmake)
include(${TSB_SOURCE_DIR}/cmake/model/tsb_load_model.cmake)
include(${TSB_SOURCE_DIR}/cmake/python/tsb_run_python.cmake)
set(CMAKE_BINARY_DIR "${TSB_TEST_DIR}")
set(mine "${TSB_TEST_DIR}/my additions/releases/${pytorch}")
set(candidate [[{"version": "0.1", "filename": "a.tar", "sha256": "@hash@", "url": ["https://example.org/a.tar"]}]])
string(REPEAT 0 64 hash)
string(CONFIGURE "${candidate}" candidate @ONLY)
file(WRITE "${mine}/sources.json" "{\"schema\": 1, \"sources\": {\"fp16\": {\"candidates\": [${candidate}]}}}")
set(TSB_ADDITIONS "${TSB_TEST_DIR}/my additions")

# expect_versions(<version>...): of the candidates for fp16, in their order.
function(expect_versions backend)
  tsb_load_model(--backend=${backend} --release=${pytorch})
  tsb_run_python(model.merge_pins "${CMAKE_BINARY_DIR}/pins" ${model_pins})
  file(READ "${TSB_TEST_DIR}/pins/sources.json" pins)
  set(versions "")
  string(JSON count LENGTH "${pins}" sources fp16 candidates)
  foreach(index RANGE 1 ${count})
    math(EXPR index "${index} - 1")
    string(JSON version GET "${pins}" sources fp16 candidates ${index} version)
    list(APPEND versions ${version})
  endforeach()
  tsb_expect("the candidates" EQUAL "${versions}" "${ARGN}")
endfunction()

expect_versions("" 4dfe081 0.1 20200514)
file(COPY "${TSB_SOURCE_DIR}/releases/${pytorch}/release.json" DESTINATION "${mine}") # a release of its own
tsb_load_model(--backend=official-cpu --release=${pytorch})
tsb_expect("a release" EQUAL "${model_pins}" "${mine};${TSB_SOURCE_DIR}/additions/substitutes/releases/${pytorch}")
file(REMOVE "${mine}/release.json" "${mine}/sources.json")
# Components alone add as well, but not to another release.
set(component [[{"in": "fp16", "files": ["a.h"], "license": "MIT", "versions": ["4dfe081"]}]])
file(WRITE "${mine}/components.json" "{\"components\": {\"of/mine\": ${component}}}")
file(COPY "${mine}/" DESTINATION "${mine}.1")
file(COPY "${TSB_SOURCE_DIR}/releases/${pytorch}/release.json" DESTINATION "${mine}.1")
# A backend's own are the same for all releases.
string(
  JSON more SET "{\"schema\": 1, \"sources\": {}}" sources tool
  "{\"license\": \"MIT\", \"homepage\": \"https://example.org\"}"
)
string(JSON more SET "${more}" sources tool candidates "[${candidate}]")
file(WRITE "${TSB_TEST_DIR}/my additions/backends/cpu/sources.json" "${more}")
tsb_expect_file("without the backend" LACKS "${TSB_TEST_DIR}/pins/sources.json" "\"tool\"")
expect_versions(cpu 4dfe081 20200514)
tsb_expect_file("with the backend" CONTAINS "${TSB_TEST_DIR}/pins/sources.json" "\"tool\"")
tsb_expect_file("components alone" CONTAINS "${TSB_TEST_DIR}/pins/components.json" "\"of/mine\"")
