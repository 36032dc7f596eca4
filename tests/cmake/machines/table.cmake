# SPDX-License-Identifier: BSD-3-Clause
# tested_machines.py: from what a run leaves to a row of the table; and the project's own table is what its results say.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
find_program(python python3 REQUIRED)
set(script ${TSB_SOURCE_DIR}/tools/machines/tested_machines.py)
set(outcome ${TSB_TEST_DIR}/outcome)
set(results ${TSB_TEST_DIR}/results)
set(page ${TSB_TEST_DIR}/page.md)

function(make_result status)
  execute_process(
    COMMAND ${python} ${script} result --outcome ${outcome} --status ${status} --commit 0123456789abcdef --job tests
            --flags "" --results ${results} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY
  )
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(table)
  execute_process(
    COMMAND ${python} ${script} table --page ${page} --results ${results} ${ARGN} RESULT_VARIABLE status
    ERROR_VARIABLE error
  )
  file(READ ${page} text)
  foreach(name IN ITEMS status error text)
    set(${name} "${${name}}" PARENT_SCOPE)
  endforeach()
endfunction()

file(
  WRITE ${outcome}/facts
  "machine=Debian GNU/Linux 13 (trixie)\nlibc=glibc 2.41\ncompiler=g++-14 (Debian 14.2.0-19) 14.2.0\ncmake=3.31.6\nninja=1.12.1\npython=3.13.5\ncores=2\n"
)
file(WRITE ${outcome}/steps "--test\t0\t930\t1500\nno-cmake-warnings\t0\t0\t0\n")
file(WRITE ${outcome}/words "295 tests, 0 failed\n")
file(
  WRITE ${page}
  "before\n<!-- made by tools/machines/tested_machines.py table -->\nold\n<!-- end of the table -->\nafter\n"
)
make_result(0)
tsb_expect(
  "what it says" CONTAINS "${output}" "passed: Debian-13-trixie_gcc-14.2.0_3.31.6_3.13.5_tests: 295 tests, 0 failed"
)
table(--check)
tsb_expect("status of a page that is not made of the results" EQUAL "${status}" 1)
tsb_expect("its message" CONTAINS "${error}" "is not what")
table()
string(TIMESTAMP today "%Y-%m-%d" UTC)
set(
  row
  "| Debian 13 (trixie), glibc 2.41 | gcc 14.2.0 | 3.31.6 | 3.13.5 | tests | 295 tests, 0 failed | 16 min | 1,500 s | 012345678"
)
tsb_expect("row" CONTAINS "${text}" "${row} | ${today} |")
tsb_expect("rest of the page" CONTAINS "${text}" "<!-- end of the table --> after")
tsb_expect("what was there" LACKS "${text}" "old")
table(--check)
tsb_expect("status of the page that it made" EQUAL "${status}" 0)

# A later run on the same machine replaces the row; one that ended before it had said anything is not a success.
file(WRITE ${outcome}/steps "--test\t8\t930\t1500\nno-cmake-warnings\t1\t0\t0\n")
make_result(1)
table()
tsb_expect("row" CONTAINS "${text}" "| **failed** (--test, no-cmake-warnings): 295 tests, 0 failed |")
tsb_expect("the row before" LACKS "${text}" "| tests | 295")
file(REMOVE_RECURSE ${outcome})
make_result(0)
tsb_expect("a run that left nothing" CONTAINS "${output}" "FAILED: unknown-machine")

execute_process(COMMAND ${python} ${script} table --check COMMAND_ERROR_IS_FATAL ANY)

# What ran at a commit that was rewritten since cannot be run again: such a row has to go. Without the whole history
# nobody can say so.
find_program(git git)
if(git)
  execute_process(
    COMMAND ${git} rev-parse --is-shallow-repository
    WORKING_DIRECTORY ${TSB_SOURCE_DIR}
    OUTPUT_VARIABLE shallow
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
  )
endif()
if(NOT "${shallow}" STREQUAL "false" OR NOT EXISTS ${TSB_SOURCE_DIR}/.git)
  return()
endif()
file(GLOB results ${TSB_SOURCE_DIR}/bench/results/machines/*.json)
foreach(result IN LISTS results)
  file(READ ${result} text)
  string(JSON commit GET "${text}" commit)
  execute_process(
    COMMAND ${git} merge-base --is-ancestor ${commit} HEAD
    WORKING_DIRECTORY ${TSB_SOURCE_DIR}
    RESULT_VARIABLE status
    ERROR_QUIET
  )
  get_filename_component(name ${result} NAME)
  tsb_expect("the commit of ${name} is in the history" EQUAL "${status}" 0)
endforeach()
