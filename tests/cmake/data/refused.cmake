# SPDX-License-Identifier: BSD-3-Clause
# Files of data that are not what they must be: of an addition, read as the build reads them.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(additions "${TSB_TEST_DIR}/additions")
file(
  WRITE "${TSB_TEST_DIR}/read.cmake"
  "cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/cmake/target/tsb_read_target.cmake)
include(${TSB_SOURCE_DIR}/cmake/backend/tsb_find_backend.cmake)
include(${TSB_SOURCE_DIR}/cmake/backend/tsb_ask_backend.cmake)
tsb_read_target(target)
tsb_find_backend(backend abacus 9.9.0)
tsb_ask_backend(answer [[{\"kind\": \"abacus\"}]] needs)
include(${TSB_SOURCE_DIR}/cmake/release/tsb_release_options.cmake)
set(TSB_RELEASE_FOLDER \"${additions}/releases/9.9.0\")
tsb_release_options(options pytorch)
include(${TSB_SOURCE_DIR}/cmake/package/tsb_declare_package.cmake)
tsb_declare_package(p DESCRIPTION P SOURCE p)
tsb_declare_release_features(p)
include(${TSB_SOURCE_DIR}/backends/cuda/cmake/tsb_cuda_release.cmake)
tsb_cuda_release(cuda 9.9.0 12.4)\n"
)

# write_additions(): a sound release, backend and target.
function(write_additions)
  file(REMOVE_RECURSE "${additions}")
  file(
    WRITE "${additions}/releases/9.9.0/release.json"
    [[{"cxx_standard": "17", "libtorch_zip": "x", "pythons": [], "backends": {"abacus": {}}}]]
  )
  file(WRITE "${additions}/releases/9.9.0/options.json" [[{"options": [{"option": "A", "value": ""}], "features": []}]])
  file(WRITE "${additions}/backends/abacus/backend.json" [[{"name": "abacus", "title": "x", "wheel_styles": []}]])
  cmake_host_system_information(RESULT processor QUERY OS_PLATFORM)
  file(MAKE_DIRECTORY "${additions}/targets")
  file(COPY_FILE "${TSB_SOURCE_DIR}/targets/x86_64.json" "${additions}/targets/${processor}.json")
  set(target "targets/${processor}.json" PARENT_SCOPE)
endfunction()

# expect_reading(<status> <message> [<file> <text>]): with the text in the file.
function(expect_reading expected message)
  write_additions()
  if(ARGC GREATER 2)
    file(WRITE "${additions}/${ARGV2}" "${ARGV3}")
  endif()
  tsb_run(
    status output ${CMAKE_COMMAND} -E env TSB_ADDITIONS=${additions} ${CMAKE_COMMAND} -P ${TSB_TEST_DIR}/read.cmake
  )
  tsb_expect("status" EQUAL "${status}" ${expected})
  tsb_expect("the message" CONTAINS "${output}" "${message}")
endfunction()

expect_reading(0 "")
file(REMOVE "${additions}/releases/9.9.0/options.json")
tsb_run(status output ${CMAKE_COMMAND} -E env TSB_ADDITIONS=${additions} ${CMAKE_COMMAND} -P ${TSB_TEST_DIR}/read.cmake)
tsb_expect_end(1 "options.json is missing, or is a folder add the file")
write_additions()
set(release releases/9.9.0/release.json)
set(backend backends/abacus/backend.json)
foreach(file IN ITEMS ${target} ${release} ${backend})
  set(path "${additions}/${file}")
  expect_reading(1 "${path} is not valid JSON: " ${file} "")
  expect_reading(1 "${path} is not valid JSON: " ${file} "{\"title\": ")
  expect_reading(1 "${path} is not a JSON object but of type ARRAY correct it" ${file} "[]")
endforeach()
expect_reading(1 "${additions}/${target} has no member 'processor' add it, of type STRING" ${target} "{}")
expect_reading(
  1 "'pythons' in ${additions}/${release} is of type STRING it must be of type ARRAY" ${release}
  [[{"cxx_standard": "17", "libtorch_zip": "x", "pythons": "3.11", "backends": {}}]]
)
expect_reading(1 "${additions}/${backend} has no member 'name' add it, of type STRING" ${backend} [[{"title": "x"}]])
foreach(file IN ITEMS ${release} ${backend})
  expect_reading(
    1 "${file} holds a ';', which ends an element of a list of CMake's write lists as JSON arrays" ${file}
    [[{"archs": "8.0;9.0"}]]
  )
endforeach()
set(options releases/9.9.0/options.json)
set(place "${additions}/${options}: ")
set(one "{\"option\": \"A\", \"value\": \"\"}")
foreach(
  case IN
  ITEMS
    "{}|'options' 0 has no member 'option' add it, of type STRING"
    "{\"option\": \"A\"}|'options' 0 has no member 'value' add it, of type STRING"
    "\"A\"|'options' 0 has no member 'option' add it"
    "{\"backend\": \"cdua\", \"option\": \"A\", \"value\": \"\"}|'A' is for the backend 'cdua' there are:"
    "{\"package\": \"torch\", \"option\": \"A\", \"value\": \"\"}|'A' is for the package 'torch' there are: pytorch, pytorch-py"
    "${one}, ${one}|'A' is twice in 'options' for pytorch remove one"
)
  string(REGEX MATCH "^(.*)[|](.*)$" ignored "${case}")
  expect_reading(1 "${place}${CMAKE_MATCH_2}" ${options} "{\"options\": [${CMAKE_MATCH_1}], \"features\": []}")
endforeach()
expect_reading(
  1 "'packages' in ${place}'features' 0 is of type STRING it must be of type ARRAY" ${options}
  [[{"options": [], "features": [{"feature": "F", "option": "A", "packages": "a"}]}]]
)

# Members that may be missing have their types as well.
foreach(
  case IN
  ITEMS
    "${target}|unity_groups|\"yes\"|STRING|BOOLEAN"
    "${target}|openblas_options|\"A\"|STRING|ARRAY"
    "${backend}|conda_build_number|100|NUMBER|STRING"
    "${backend}|checks|\"a\"|STRING|ARRAY"
    "${backend}|consumer|{\"may_load\": \"a\"}|STRING|ARRAY"
    "${release}|python_targets|\"a\"|STRING|ARRAY"
    "${release}|triton|3|NUMBER|STRING"
    "${release}|backends|{\"abacus\": []}|ARRAY|OBJECT"
)
  string(REGEX MATCH "^(.*)[|](.*)[|](.*)[|](.*)[|](.*)$" ignored "${case}")
  set(file ${CMAKE_MATCH_1})
  set(message "in ${additions}/${file} is of type ${CMAKE_MATCH_4} it must be of type ${CMAKE_MATCH_5}")
  write_additions()
  file(READ "${additions}/${file}" text)
  string(JSON text SET "${text}" ${CMAKE_MATCH_2} "${CMAKE_MATCH_3}")
  expect_reading(1 "${message}" ${file} "${text}")
endforeach()
set(of_cuda [=["cxx_standard": "17", "libtorch_zip": "x", "pythons": []]=])
expect_reading(
  1 "'cuda.arch_letters' in ${release} is of type STRING it must be of type ARRAY" ${release}
  "{${of_cuda}, \"backends\": {\"abacus\": {}}, \"cuda\": {\"arch_letters\": \"a\"}}"
)
expect_reading(
  1 "'cudnn' in ${release}: CUDA 12.4 is of type NUMBER it must be of type STRING" ${release}
  "{${of_cuda}, \"backends\": {\"abacus\": {}, \"cuda\": {\"12.4\": {\"cudnn\": 9}}}}"
)
expect_reading(
  1 "hooks/needs.cmake does not define the function z_tsb_abacus_needs add it, or remove the file"
  backends/abacus/hooks/needs.cmake "function(z_tsb_abacus_need)\nendfunction()\n"
)
