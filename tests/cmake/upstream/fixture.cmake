# SPDX-License-Identifier: BSD-3-Clause
# What tools/upstream_tests/run_tests.py is tried on: a wheel of an empty module, a source tree with tests of a few
# lines, and the lists that go with the release 9.1.0.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
find_program(python python3 REQUIRED)
set(python_of_wheel "${python}")
set(source "${TSB_TEST_DIR}/a source tree")
set(work "${TSB_TEST_DIR}/work")
set(requirements "${TSB_TEST_DIR}/requirements.txt")
set(known "${TSB_TEST_DIR}/known.txt")

# needs_venv(): ends the script, skipped, when python3 cannot make a virtual environment.
macro(needs_venv)
  execute_process(COMMAND "${python}" -c "import ensurepip, venv" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(NOT status EQUAL 0)
    message("SKIP: ${python} cannot make a virtual environment")
    return()
  endif()
endmacro()

# make_wheel(<tag> [<line of METADATA>...]): sets ${wheel}.
function(make_wheel tag)
  list(JOIN ARGN "\n" more)
  set(tree "${TSB_TEST_DIR}/tree")
  set(info torch-9.1.0+cpu.dist-info)
  file(WRITE "${tree}/torch/__init__.py" "__version__ = '9.1.0+cpu'\n")
  file(WRITE "${tree}/${info}/METADATA" "Metadata-Version: 2.1\nName: torch\nVersion: 9.1.0+cpu\n${more}\n")
  file(
    WRITE "${tree}/${info}/WHEEL" "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: ${tag}-none-any\n"
  )
  set(record "")
  foreach(file IN ITEMS torch/__init__.py ${info}/METADATA ${info}/WHEEL ${info}/RECORD)
    string(APPEND record "${file},,\n")
  endforeach()
  file(WRITE "${tree}/${info}/RECORD" "${record}")
  set(wheel "${TSB_TEST_DIR}/torch-9.1.0+cpu-${tag}-none-any.whl")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E tar cf "${wheel}" --format=zip torch ${info}
    WORKING_DIRECTORY "${tree}" COMMAND_ERROR_IS_FATAL ANY
  )
  set(wheel "${wheel}" PARENT_SCOPE)
endfunction()

# make_source(): as PyTorch's, with a torch/ that must not be imported instead of the wheel's.
function(make_source)
  file(WRITE "${source}/version.txt" "9.1.0a0\n")
  file(WRITE "${source}/torch/__init__.py" "raise ImportError('this is the torch of the source tree')\n")
  file(WRITE "${source}/tools/helper.py" "")
  file(
    WRITE "${source}/test/test_torch.py"
    "import os, sys, time, unittest
sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tools.helper
import torch

class TestAll(unittest.TestCase):
    def test_passes(self):
        self.assertEqual(torch.__version__, '9.1.0+cpu')

    def test_also_passes(self):
        if 'WAITING' in os.environ:
            open(os.environ['WAITING'], 'w').close()
            time.sleep(300)

    def test_fails(self):
        self.assertEqual(1, 2, 'the sums differ')

    def test_fails_as_known(self):
        raise ValueError('known')

    def test_passes_though_known(self):
        pass

    @unittest.skip('a reason')
    def test_skipped(self):
        pass

    @unittest.expectedFailure
    def test_fails_as_expected(self):
        self.fail()

    def test_crashes(self):
        os.abort()

    def test_ends_python(self):
        os._exit(0)
"
  )
  file(WRITE "${source}/test/test_good.py" "import time\ndef test_one(): pass\ndef test_two(): pass\n")
  file(WRITE "${source}/test/test_hangs.py" "import time\ndef test_hangs(): time.sleep(300)\ndef test_next(): pass\n")
  file(WRITE "${source}/test/test_broken.py" "import nobody_has_this\n")
  file(GLOB pinned "${TSB_SOURCE_DIR}/releases/*/upstream_tests/requirements.txt")
  list(GET pinned 0 pinned)
  file(READ "${pinned}" pinned)
  string(REPLACE ";" "%" pinned "${pinned}")
  set(projects "pytest|pytest-xdist|execnet|iniconfig|packaging|pluggy|exceptiongroup|tomli")
  string(REGEX MATCHALL "(${projects})==[^\n]*(\n +--hash[^\n]*)+" pinned "${pinned}")
  list(JOIN pinned "\n" pinned)
  string(REPLACE "%" ";" pinned "${pinned}")
  file(WRITE "${requirements}" "${pinned}\n")
  file(
    WRITE "${known}"
    "# What fails.\n
test_torch.py::*::test_fails_as_known  a missing feature
test_torch.py::TestAll::test_passes_though_known\twas a fault
test_torch.py::TestAll::test_gone  nobody has it
test_nn.py::test_other  in a file that is not run
"
  )
endfunction()

# run_tests(<status> <argument>...): sets ${output}.
function(run_tests expected)
  tsb_run(
    status output "${python}" "${TSB_SOURCE_DIR}/tools/upstream_tests/run_tests.py" --wheel "${wheel}" --source
    "${source}" --python "${python_of_wheel}" --work "${work}" --requirements "${requirements}" --known-failures
    "${known}" ${ARGN}
  )
  tsb_expect("status" EQUAL "${status}" "${expected}")
  set(output "${output}" PARENT_SCOPE)
endfunction()
