# SPDX-License-Identifier: BSD-3-Clause
# A checkout of a made-up PyTorch 9.9.0 with submodules, and a folder with the release 9.8.0 before it. Sets `tree`,
# `releases`, and `commit_of_<submodule>`.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
find_program(python python3 REQUIRED)
find_program(git git REQUIRED)
set(tree "${TSB_TEST_DIR}/a tree")
set(releases "${TSB_TEST_DIR}/releases")
set(ENV{GIT_CONFIG_GLOBAL} "${TSB_TEST_DIR}/gitconfig")
set(ENV{PYTHONDONTWRITEBYTECODE} 1)
file(WRITE "${TSB_TEST_DIR}/gitconfig" "[user]\n name = n\n email = e\n[protocol \"file\"]\n allow = always\n")

function(git folder)
  execute_process(
    COMMAND "${git}" ${ARGN}
    WORKING_DIRECTORY "${folder}"
    OUTPUT_VARIABLE output
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY
  )
  set(output "${output}" PARENT_SCOPE)
endfunction()

# repository(<folder> <file>=<text>...)
function(repository folder)
  file(MAKE_DIRECTORY "${folder}")
  git("${folder}" init -q)
  foreach(pair IN LISTS ARGN)
    string(REGEX MATCH "^([^=]+)=(.*)$" ignored "${pair}")
    file(WRITE "${folder}/${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
  endforeach()
  git("${folder}" add .)
  git("${folder}" commit -q -m first)
endfunction()

foreach(name IN ITEMS same moved fresh unused nested)
  repository("${TSB_TEST_DIR}/upstream/${name}" "README=${name}\n")
endforeach()
git("${TSB_TEST_DIR}/upstream/moved" submodule -q add "${TSB_TEST_DIR}/upstream/nested" inner/Nested)
git("${TSB_TEST_DIR}/upstream/moved" commit -q -m second)
repository("${tree}" "version.txt=9.9.0a0\n")
file(
  WRITE "${tree}/CMakeLists.txt"
  [[# option(USE_COMMENT "no" ON)
option(USE_SAME "the same" ON)
option(
  USE_OTHER_DEFAULT
  "with (brackets) and \
a line" ON)
cmake_dependent_option(USE_NEW "new" ON "USE_SAME" OFF)
message(STATUS "option(USE_TEXT \"no\" ON)")
]]
)
foreach(name IN ITEMS same moved fresh unused)
  git("${tree}" submodule -q add "${TSB_TEST_DIR}/upstream/${name}" third_party/${name})
endforeach()
git("${tree}" submodule -q update --init --recursive)
git("${tree}" add .)
git("${tree}" commit -q -m second)
foreach(name IN ITEMS same moved fresh moved/inner/Nested)
  git("${tree}/third_party/${name}" rev-parse HEAD)
  set(commit_of_${name} "${output}")
endforeach()
git("${tree}" rev-parse HEAD)
set(commit_of_tree "${output}")

string(REPEAT 1 40 ones)
file(
  WRITE "${releases}/9.8.0/sources.json"
  "{\"schema\": 1, \"release\": \"9.8.0\", \"sources\": {
  \"pytorch\": {\"license\": \"MIT\", \"patches\": [{\"file\": \"p.patch\"}], \"submodules\": [
    {\"name\": \"same\", \"path\": \"third_party/same\", \"required\": true},
    {\"name\": \"moved\", \"path\": \"third_party/moved/include\", \"required\": false, \"feature\": \"MOVED\"},
    {\"name\": \"nested\", \"path\": \"third_party/moved/inner/Nested\", \"required\": true},
    {\"name\": \"gone\", \"path\": \"third_party/gone\", \"required\": true}],
    \"candidates\": [{\"version\": \"9.8.0\", \"commit\": \"${ones}\"}]},
  \"same\": {\"license\": \"MIT\", \"submodule_path\": \"third_party/same\", \"candidates\": [
    {\"version\": \"1.0\", \"filename\": \"same.tar\", \"sha256\": \"0\"}, {\"version\": \"1.0\", \"commit\": \"${commit_of_same}\"}]},
  \"moved\": {\"license\": \"MIT\", \"submodule_path\": \"third_party/moved/include\", \"candidates\": [
    {\"version\": \"1.0\", \"commit\": \"${ones}\", \"git\": \"https://known\", \"subdir\": \"include\"},
    {\"version\": \"1.0\", \"filename\": \"moved.tar\", \"sha256\": \"0\"}]},
  \"nested\": {\"license\": \"MIT\", \"submodule_path\": \"third_party/moved/inner/Nested\", \"candidates\": [
    {\"version\": \"1.0\", \"commit\": \"${ones}\", \"git\": \"https://nested\"}]},
  \"gone\": {\"license\": \"MIT\", \"submodule_path\": \"third_party/gone\", \"candidates\": [{\"version\": \"1\", \"commit\": \"${ones}\"}]}}}"
)
file(
  WRITE "${releases}/9.8.0/release.json" [[{"version": "9.8.0", "pythons": ["3.13"], "triton": "3",
  "sources": ["s"], "backends": {"cpu": {}, "cuda": {"12.4": {}}}}]]
)
file(WRITE "${releases}/9.8.0/symbols.json" "{\"hidden\": [], \"exported\": []}")
file(WRITE "${releases}/9.8.0/options.json" [[{"options": [{"option": "USE_OLD", "value": "ON"}], "features": []}]])
file(WRITE "${releases}/9.8.0/components.json" [[{"release": "9.8.0", "components": {"c": {"in": "same"}}}]])
file(
  WRITE "${releases}/9.8.0/upstream.json"
  [[{"options": {"USE_SAME": "ON", "USE_OLD": "OFF", "USE_OTHER_DEFAULT": "OFF"}, "submodules": ["third_party/unused"]}]]
)
file(WRITE "${releases}/9.8.0/patches/p.patch" "patch\n")
file(WRITE "${releases}/9.7.10/sources.json" "{}")

# import(<status> <argument>...): sets `output`.
function(import wanted)
  tsb_run(
    status text "${python}" "${TSB_SOURCE_DIR}/tools/import_release/import_release.py" --releases "${releases}" ${ARGN}
  )
  tsb_expect("status" EQUAL "${status}" ${wanted})
  set(output "${text}" PARENT_SCOPE)
endfunction()
