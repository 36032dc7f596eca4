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
tsb_release_options(options pytorch)\n"
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
tsb_expect("status" EQUAL "${status}" 1)
tsb_expect("the message" CONTAINS "${output}" "options.json is missing, or is a folder add the file")
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
foreach(entry IN ITEMS "{}" "{\"option\": \"A\"}" "\"A\"")
  expect_reading(
    1 "${additions}/${options}: 'options' 0 has no text" ${options} "{\"options\": [${entry}], \"features\": []}"
  )
endforeach()
expect_reading(
  1 "hooks/needs.cmake does not define the function z_tsb_abacus_needs add it, or remove the file"
  backends/abacus/hooks/needs.cmake "function(z_tsb_abacus_need)\nendfunction()\n"
)
