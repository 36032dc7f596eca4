# SPDX-License-Identifier: BSD-3-Clause
# A wheel through pip, which is given the pinned hash; a folder stands for the index.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
execute_process(COMMAND python3 -m pip --version RESULT_VARIABLE no_pip OUTPUT_QUIET ERROR_QUIET)
if(NOT no_pip EQUAL 0)
  message("SKIP: pip is not installed")
  return()
endif()
set(wheel demo-1.0-py3-none-any.whl)
file(WRITE "${box}/wheel/demo/include/demo.h" "int demo;\n")
file(WRITE "${box}/wheel/demo-1.0.dist-info/METADATA" "Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n")
file(
  WRITE "${box}/wheel/demo-1.0.dist-info/WHEEL"
  "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
)
file(WRITE "${box}/wheel/demo-1.0.dist-info/RECORD" "")
file(WRITE "${box}/wheel/demo-1.0.dist-info/LICENSE" "the licence")
file(MAKE_DIRECTORY "${box}/index")
execute_process(
  COMMAND ${CMAKE_COMMAND} -E tar cf "${box}/index/${wheel}" --format=zip demo demo-1.0.dist-info
  WORKING_DIRECTORY "${box}/wheel" COMMAND_ERROR_IS_FATAL ANY
)
file(SHA256 "${box}/index/${wheel}" sha256)
set(ENV{PIP_NO_INDEX} 1)
set(ENV{PIP_FIND_LINKS} "${box}/index")
set(ENV{PIP_CONFIG_FILE} /dev/null)
# pip splits this variable at blanks.
string(REPLACE " " "%20" links "file://${box}/index")
set(ENV{PIP_FIND_LINKS} "${links}")
set(
  candidate
  "{\"version\": \"1.0\", \"filename\": \"${wheel}\", \"sha256\": \"${sha256}\", \"strip\": 0, \"subdir\": \"demo\",
  \"license_file\": \"demo-1.0.dist-info/LICENSE\",
  \"python-index\": {\"project\": \"demo\", \"version\": \"1.0\", \"file\": \"${wheel}\"}}"
)
add_pin(demo "${candidate}")
string(REPEAT "0" 64 zeros)
string(JSON other SET "${candidate}" sha256 "\"${zeros}\"")
add_pin(other "${other}")
string(JSON newer SET "${candidate}" python-index version "\"9.0\"")
add_pin(newer "${newer}")
# A wheel for another CPython than the one whose pip is asked.
set(tied tied-1.0-cp399-cp399-manylinux_2_17_x86_64.manylinux2014_x86_64.whl)
file(WRITE "${box}/tied/tied-1.0.dist-info/METADATA" "Metadata-Version: 2.1\nName: tied\nVersion: 1.0\n")
file(
  WRITE "${box}/tied/tied-1.0.dist-info/WHEEL"
  "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: cp399-cp399-manylinux_2_17_x86_64\n"
)
file(WRITE "${box}/tied/tied-1.0.dist-info/RECORD" "")
execute_process(
  COMMAND ${CMAKE_COMMAND} -E tar cf "${box}/index/${tied}" --format=zip tied-1.0.dist-info
  WORKING_DIRECTORY "${box}/tied" COMMAND_ERROR_IS_FATAL ANY
)
file(SHA256 "${box}/index/${tied}" sha256)
add_pin(
  tied "{\"version\": \"1.0\", \"filename\": \"${tied}\", \"sha256\": \"${sha256}\", \"strip\": 0,
  \"python-index\": {\"project\": \"tied\", \"version\": \"1.0\", \"file\": \"${tied}\"}}"
)
fetch(
  code
  text
  "[{\"name\": \"demo\", \"required\": true}, {\"name\": \"tied\", \"required\": true}, {\"name\": \"other\", \"required\": false},
  {\"name\": \"newer\", \"required\": false}]"
)
tsb_expect("exit code" EQUAL ${code} 0)
tsb_expect("the line of demo" CONTAINS "${text}" "demo 1.0 from python-index (demo==1.0)")
tsb_expect("the line of tied" CONTAINS "${text}" "tied 1.0 from python-index (tied==1.0)")
entry(kind demo kind)
tsb_expect("kind" EQUAL "${kind}" wheel)
entry(reason other reason)
tsb_expect("another hash" CONTAINS "${reason}" "the index has another file")
entry(reason newer reason)
tsb_expect("another version" CONTAINS "${reason}" "the index has no demo 9.0")
unpack(demo "${box}/out")
tsb_expect("a file of the wheel" EXISTS "${box}/out/include/demo.h")
file(READ "${box}/out/LICENSE" licence)
tsb_expect("the licence" EQUAL "${licence}" "the licence")
