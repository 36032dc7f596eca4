# SPDX-License-Identifier: BSD-3-Clause
# What does not fit together is an error of two lines, before anything is installed.
include(${CMAKE_CURRENT_LIST_DIR}/fixture.cmake)
needs_venv()
make_wheel(py3)
make_source()

# error(<what> <remedy> [<argument>...])
function(error what remedy)
  run_tests(2 ${ARGN})
  tsb_expect("output" EQUAL "${output}" "error: ${what}\n  ${remedy}\n")
  tsb_expect("work folder" ABSENT "${work}")
endfunction()

set(good "${wheel}")
set(wheel "${TSB_TEST_DIR}/no-*.whl")
error("there is no wheel ${wheel}" "build one with a preset cpu-wheel-py..., or correct the path")
set(wheel "${requirements}")
error("${wheel} is not named as a wheel of torch is" "give --wheel the file as it was built")
make_wheel(cp27)
set(wheel "${TSB_TEST_DIR}/torch-9.1.0+cpu-*.whl")
error("2 wheels match ${wheel}" "name one of them: ${TSB_TEST_DIR}/torch-9.1.0+cpu-cp27-none-any.whl ${good}")
set(wheel "${TSB_TEST_DIR}/torch-9.1.0+cpu-cp27-none-any.whl")
execute_process(
  COMMAND "${python}" -c "import sys; print('%d.%d' % sys.version_info[:2], end='')"
  OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY
)
error(
  "torch-9.1.0+cpu-cp27-none-any.whl is for cp27, and ${python} is cpython ${version}"
  "give --python the interpreter that the wheel is for"
)
set(wheel "${good}")

error("there is no file nn/none.py in ${source}/test" "correct --file" --file nn/none.py)
error(
  "there is no ${TSB_SOURCE_DIR}/tools/upstream_tests/none.txt"
  "write one, as there is for another release, or correct --requirements" --requirements
  "${TSB_SOURCE_DIR}/tools/upstream_tests/none.txt"
)
file(APPEND "${known}" "test_torch.py::test_without_reason\n")
error("${known}, line 7 has no reason" "write why the test fails, after its id and a blank")
file(WRITE "${source}/version.txt" "9.2.0a0\n")
error("the wheel is of PyTorch 9.1.0+cpu, and ${source} of 9.2.0a0" "give --source the source tree of PyTorch 9.1.0")
file(REMOVE_RECURSE "${source}/test")
error("${source} has no test" "give --source the whole source tree of PyTorch 9.1.0")

# A Python as Debian has it without python3-venv.
set(python_of_wheel "${TSB_TEST_DIR}/python-without-venv")
make_source()
file(WRITE "${python_of_wheel}" "#!/bin/sh\ncase $* in *ensurepip*) exit 1;; esac\nexec '${python}' \"$@\"\n")
file(CHMOD "${python_of_wheel}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
error("${python_of_wheel} cannot make a virtual environment" "install its module venv (python3-venv)")
file(WRITE "${python_of_wheel}" "#!/bin/sh\nexit 3\n")
error("${python_of_wheel} is not a Python that runs" "give --python the interpreter that the wheel is for")
