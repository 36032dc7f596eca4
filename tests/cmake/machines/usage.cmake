# SPDX-License-Identifier: BSD-3-Clause
# What tools/machines/run_on.sh refuses, before it makes anything.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)

function(refuses what remedy)
  tsb_run(status output bash ${TSB_SOURCE_DIR}/tools/machines/run_on.sh --work ${TSB_TEST_DIR}/work ${ARGN})
  tsb_expect("status of ${ARGN}" EQUAL "${status}" 2)
  tsb_expect("${ARGN}" CONTAINS "${output}" "run_on.sh: ${what} ${remedy}")
  tsb_expect("work folder after ${ARGN}" ABSENT "${TSB_TEST_DIR}/work")
endfunction()

set(right --release trixie --do tests)
refuses("--release is ''" "it is bookworm, trixie, forky or sid" --do tests)
refuses("--release is '../..'" "it is bookworm, trixie, forky or sid" --release ../.. --do tests)
refuses("--do is 'all'" "it is main-job, tests" --release trixie --do all)
refuses("--compiler is 'icc'" "write gcc-14 or clang-19" ${right} --compiler icc)
refuses("--root is '..'" "a name of letters" ${right} --root ..)
refuses("--root is 'a/b'" "a name of letters" ${right} --root a/b)
refuses("no folder /nonexistent for --mirror" "name one" ${right} --mirror /nonexistent)
refuses("unknown option: --relaese" "see run_on.sh --help" --relaese trixie)
refuses("--do needs a value" "see run_on.sh --help" --release trixie --do)
refuses("no commit nonsense" "name one of" ${right} nonsense)
refuses("two commits: HEAD and HEAD~1" "name one" ${right} HEAD HEAD~1)
refuses("--preset with --do tests" "only main-job takes a preset" ${right} --preset cpu-all)
refuses("--jobs is '0'" "write a positive integer" ${right} --jobs 0)
refuses("--cmake is 'old'" "write newest, or a version such as 3.31.6" ${right} --cmake old)
file(WRITE "${TSB_TEST_DIR}/file" "")
refuses(
  "cannot make the folder ${TSB_TEST_DIR}/file/x for --cache" "name one that can be written" ${right} --cache
  ${TSB_TEST_DIR}/file/x
)
