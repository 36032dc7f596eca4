# SPDX-License-Identifier: BSD-3-Clause
# One run of tools/upstream_tests/run_tests.py after the other: what it says about each kind of test, that what is done
# is not done again, its exit codes.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
needs_venv()
make_wheel(py3)
make_source()

# pytest once, from the index if there is one; all that comes after does without.
set(wheels "${TSB_TEST_DIR}/wheels")
execute_process(COMMAND "${python}" -m venv "${TSB_TEST_DIR}/pip" COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND "${TSB_TEST_DIR}/pip/bin/python" -m pip --disable-pip-version-check download --quiet --timeout 10 --retries 1
          --dest "${wheels}" --requirement "${requirements}" RESULT_VARIABLE status
)
if(NOT status EQUAL 0)
  message("SKIP: pip cannot get pytest from its index")
  return()
endif()
set(ENV{PIP_NO_INDEX} 1)
set(ENV{PIP_FIND_LINKS} "${wheels}")

# row(<file>): what result.json counts of a file, as ${row}.
function(row name)
  file(READ "${work}/result.json" json)
  string(JSON count LENGTH "${json}" files)
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON file GET "${json}" files ${index} file)
    if(file STREQUAL name)
      set(text "")
      foreach(column IN ITEMS run passed failed skipped xfailed crashed known left)
        string(JSON value GET "${json}" files ${index} ${column})
        string(APPEND text "${column} ${value} ")
      endforeach()
      set(row "${text}" PARENT_SCOPE)
    endif()
  endforeach()
endfunction()
set(wanted_of_torch "run 8 passed 3 failed 2 skipped 1 xfailed 1 crashed 2 known 1 left 0 ")

# All kinds, in three shards; a file without a failure.
run_tests(1 --file test_torch.py --file test_good.py --shards 3)
row(test_torch.py)
tsb_expect("test_torch.py" EQUAL "${row}" "${wanted_of_torch}")
row(test_good.py)
tsb_expect("test_good.py" EQUAL "${row}" "run 2 passed 2 failed 0 skipped 0 xfailed 0 crashed 0 known 0 left 0 ")
tsb_expect(
  "output" CONTAINS "${output}" "FAILED  test_torch.py::TestAll::test_fails: AssertionError: 1 != 2 : the sums differ"
  "CRASHED test_torch.py::TestAll::test_crashes: pytest ended with SIGABRT while it ran"
  "CRASHED test_torch.py::TestAll::test_ends_python: pytest ended with exit code 0 while it ran"
  "known   test_torch.py::TestAll::test_fails_as_known: a missing feature"
  "PASSES  test_torch.py::TestAll::test_passes_though_known, a known failure: was a fault"
  "UNUSED  test_torch.py::TestAll::test_gone is a known failure, but there is no such test"
  "test_torch.py, shard 3 of 3: 9 of 11 tests" "11 of 11 tests"
)
tsb_expect("output" LACKS "${output}" "in a file that is not run")
file(READ "${work}/result.json" json)
string(JSON skipped GET "${json}" skipped)
tsb_expect("reasons" CONTAINS "${skipped}" "{ \"Skipped: a reason\" : 1 }")
file(GLOB results "${work}/*/results")
file(GLOB junit "${results}/test_torch.py/3-shards/*/junit-*.xml")
tsb_expect("reports (${junit})" CONTAINS "${junit}" "3-shards/1/junit-")

# Again: nothing is done, the same is said.
run_tests(1 --file test_torch.py --file test_good.py --shards 3)
row(test_torch.py)
tsb_expect("test_torch.py, again" EQUAL "${row}" "${wanted_of_torch}")
tsb_expect("second run" CONTAINS "${output}" "11 of 11 tests were done before")
tsb_expect("second run" LACKS "${output}" installing collecting "shard 1")
# A shard of which nothing is there is run, and no other. What was being written when all was killed does not count.
file(REMOVE_RECURSE "${results}/test_good.py/3-shards" "${results}/test_good.py/2-shards/2")
file(GLOB journal "${results}/test_good.py/*-shards/1/journal.jsonl")
file(APPEND "${journal}" "{\"id\": \"test_good.py::te")
run_tests(0 --file test_good.py --shards 3)
tsb_expect("third run" CONTAINS "${output}" "1 of 2 tests were done before")
tsb_expect("third run" LACKS "${output}" "shard 1 of")

# All of it explained, and with two at once, where xdist names what crashed.
file(APPEND "${known}" "test_torch.py::TestAll::test_fails  a fault\ntest_torch.py::TestAll::test_*s*  crashes\n")
run_tests(0 --file test_torch.py --jobs 2)
string(REPLACE "known 1" "known 4" row_of_all "${wanted_of_torch}")
row(test_torch.py)
tsb_expect("with two at once" EQUAL "${row}" "${row_of_all}")
tsb_expect("with two at once" CONTAINS "${output}" "test_torch.py, shard 1 of 1: 9 of 9 tests")

# A test that hangs is named, and what comes after it is run.
run_tests(1 --file test_hangs.py --timeout 8)
row(test_hangs.py)
tsb_expect("test_hangs.py" EQUAL "${row}" "run 2 passed 1 failed 0 skipped 0 xfailed 0 crashed 1 known 0 left 0 ")
tsb_expect("output" CONTAINS "${output}" "CRASHED test_hangs.py::test_hangs: it was running when the 8 s of its shard")

# A file that cannot be collected is a failure like others.
run_tests(1 --file test_broken.py)
tsb_expect(
  "output" CONTAINS "${output}" "CRASHED test_broken.py: it could not be collected, pytest ended with exit code 2"
)
file(APPEND "${known}" "test_broken.py  nobody has its module\n")
run_tests(0 --file test_broken.py)

# Another tree is run anew, in the same environment.
# Interrupted while a test waits: it ends what it started and says how to go on; the same command does. Meanwhile nobody
# else may work there.
make_source()
file(APPEND "${source}/test/test_good.py" "\n# another tree\n")
set(ENV{WAITING} "${TSB_TEST_DIR}/waiting")
file(
  WRITE "${TSB_TEST_DIR}/interrupt.py"
  "import os, signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # not ignored, as it is in the background of a shell
driver = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, universal_newlines=True)
while not os.path.exists(os.environ['WAITING']) and driver.poll() is None:
    time.sleep(0.1)
other = subprocess.run(sys.argv[1:], stderr=subprocess.PIPE, universal_newlines=True)
print('other', other.returncode, other.stderr)
os.kill(driver.pid, signal.SIGINT)
print(driver.communicate()[0], 'driver', driver.returncode)
"
)
execute_process(
  COMMAND
    "${python}" "${TSB_TEST_DIR}/interrupt.py" "${python}" "${TSB_SOURCE_DIR}/tools/upstream_tests/run_tests.py" --wheel
    "${wheel}" --source "${source}" --python "${python}" --work "${work}" --requirements "${requirements}"
    --known-failures "${known}" --file test_torch.py
  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY
)
message("${output}")
tsb_expect("the other" CONTAINS "${output}" "other 2 error: another run is working in ${work} ")
tsb_expect("interrupted" CONTAINS "${output}" "interrupted: run the same command again to continue driver 130")
row(test_torch.py)
tsb_expect("interrupted" EQUAL "${row}" "run 0 passed 0 failed 0 skipped 0 xfailed 0 crashed 0 known 0 left 9 ")
tsb_expect("another tree" LACKS "${output}" "installing")
unset(ENV{WAITING})
run_tests(1 --file test_torch.py)
row(test_torch.py)
tsb_expect("after the interruption" EQUAL "${row}" "${wanted_of_torch}")

# What pip cannot install.
string(REPEAT 0 64 zeros)
file(APPEND "${requirements}" "a-package-that-is-nowhere==1 --hash=sha256:${zeros}\n")
run_tests(2 --file test_good.py)
tsb_expect(
  "output" CONTAINS "${output}" "error: pip could not install the wheel and what the tests need: ${work}/venv-"
  "| ERROR: No matching distribution found for a-package-that-is-nowhere==1"
)

# What has no hash is not installed: neither what the tests need nor what the wheel requires.
file(WRITE "${requirements}" "pytest==7.3.2\n")
run_tests(2 --file test_good.py)
tsb_expect("output" CONTAINS "${output}" "Hashes are required in --require-hashes mode")
make_wheel(py3 "Requires-Dist: filelock")
run_tests(2 --file test_good.py)
tsb_expect("output" CONTAINS "${output}" "error: no hash is known for filelock, which the wheel requires")
