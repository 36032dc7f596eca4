# SPDX-License-Identifier: BSD-3-Clause
# sample_targets.py: which targets of a build.ninja are chosen, and with which flags they are compiled.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
find_program(python python3 REQUIRED)
set(script ${TSB_SOURCE_DIR}/tests/machines/sample_targets.py)

set(ninja "build gen/a.h | \${dir}gen/a.h: CUSTOM_COMMAND tool.py\n  COMMAND = cd /x && /usr/bin/python3 tool.py\n")
string(APPEND ninja "build gen/b.h: CUSTOM_COMMAND\n  COMMAND = cmake -E touch b.h\n")
string(APPEND ninja "build third_party/x/x.c.o: C_COMPILER__x x.c\n  FLAGS = -O3\n")
string(APPEND ninja "build confu-deps/y.c.o: ASM_COMPILER__y y.S\n  FLAGS = -O3\n")
foreach(number RANGE 10 50)
  string(APPEND ninja "build caffe2/${number}.cc.o: CXX_COMPILER__t ${number}.cc\n  FLAGS = -O2\n")
endforeach()

function(choose what flags)
  execute_process(
    COMMAND ${python} ${script} ${TSB_TEST_DIR} ${what} "${flags}" ${TSB_TEST_DIR}/words
    RESULT_VARIABLE status
    ERROR_VARIABLE error
  )
  set(status "${status}" PARENT_SCOPE)
  set(error "${error}" PARENT_SCOPE)
  set(targets "")
  set(written "")
  if(status EQUAL 0)
    file(READ ${TSB_TEST_DIR}/words words)
    file(READ ${TSB_TEST_DIR}/tsb-sample.ninja written)
    string(REGEX MATCH "build tsb-sample: phony ([^\n]*)" targets "${written}")
    set(targets "${CMAKE_MATCH_1}")
    set(words "${words}" PARENT_SCOPE)
  endif()
  set(targets "${targets}" PARENT_SCOPE)
  set(written "${written}" PARENT_SCOPE)
endfunction()

file(WRITE ${TSB_TEST_DIR}/build.ninja "${ninja}")
choose(sample "-O0 -g0")
set(expected "gen/a.h third_party/x/x.c.o confu-deps/y.c.o caffe2/10.cc.o caffe2/30.cc.o caffe2/50.cc.o")
tsb_expect("sample" EQUAL "${targets}" "${expected}")
tsb_expect("in words" EQUAL "${words}" "2 objects of third_party, 3 of 41 own (-O0 -g0)")
tsb_expect("flags" CONTAINS "${written}" "FLAGS = -O3 -O0 -g0")
choose(sample "")
tsb_expect("flags" LACKS "${written}" "-O0")
choose(codegen "")
tsb_expect("codegen" EQUAL "${targets}" "gen/a.h")
tsb_expect("in words" EQUAL "${words}" "1 generators")

file(WRITE ${TSB_TEST_DIR}/build.ninja "build x: phony y\n")
choose(sample "")
tsb_expect("status where nothing is known" EQUAL "${status}" 1)
tsb_expect("nothing is known" CONTAINS "${error}" "0 generators, 0 objects of third_party, 0 others")
